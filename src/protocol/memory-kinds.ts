/** Words of the protocol without its schemas, for threads that load no schema library. */

export const memoryKinds = ["note", "summary", "prompt", "question", "message"] as const;
export type MemoryKind = (typeof memoryKinds)[number];

export const memoryTypes = [
  "decision",
  "preference",
  "bugfix",
  "feature",
  "refactor",
  "change",
  "discovery",
  "gotcha",
  "problem-solution",
] as const;
export type NoteType = (typeof memoryTypes)[number];
