/** What Slack takes, by its documentation; where we stay below, it is because of what Slack adds itself. */
export const limits = {
  blocks: 50,
  /** So many prompts, each with its chooser, stay within the blocks of a message. */
  prompts: 20,
  /** One text object of a section. */
  sectionText: 3_000,
  buttonText: 75,
  optionText: 75,
  actionElements: 25,
  selectOptions: 100,
  checkboxes: 10,
  modalTitle: 24,
  modalInput: 3_000,
  /** Slack refuses a message near 13,000 characters of blocks in all, without saying where the line is. */
  allBlocks: 11_000,
} as const;
