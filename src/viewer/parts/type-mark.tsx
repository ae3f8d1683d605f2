import type { MemoryKind, NoteType } from "../../protocol/memory.ts";

/** The same letters as in the context of a session. */
const letters: Record<NoteType | Exclude<MemoryKind, "note">, string> = {
  decision: "D",
  preference: "P",
  bugfix: "B",
  "problem-solution": "S",
  feature: "F",
  refactor: "R",
  change: "C",
  discovery: "I",
  gotcha: "G",
  prompt: "“",
  summary: "Σ",
  question: "?",
  message: "@",
};

export const noteTypes: readonly NoteType[] = [
  "decision",
  "preference",
  "bugfix",
  "problem-solution",
  "feature",
  "refactor",
  "change",
  "discovery",
  "gotcha",
];

export function TypeMark({ type }: { type: string }) {
  const known = isKnown(type) ? letters[type] : undefined;
  return (
    <span class={`mark mark-${known ? type : "other"}`} title={known ? type : "other"}>
      <span aria-hidden="true">{known ?? "·"}</span>
      <span class="visually-hidden">{known ? type : "other"}</span>
    </span>
  );
}

function isKnown(type: string): type is keyof typeof letters {
  return Object.hasOwn(letters, type);
}
