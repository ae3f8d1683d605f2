/** Slack's documented limits, lowered where Slack adds its own content. */
export const limits = {
  blocks: 50,
  /** Number of prompts that fit into the blocks of a message with their choosers. */
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
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  /** Slack rejects messages with about 13,000 characters of blocks; the exact limit is undocumented. */
  allBlocks: 11_000,
} as const;
