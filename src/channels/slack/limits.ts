/** Slack's documented limits, lower where Slack adds content of its own. */
export const limits = {
  blocks: 50,
  /** This many prompts with their choosers fit into the blocks of a message. */
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
  /** Slack rejects messages with about 13,000 characters of blocks; the exact limit is undocumented. */
  allBlocks: 11_000,
} as const;
