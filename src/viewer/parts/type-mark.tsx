import type { MemoryKind, NoteType } from "../../protocol/memory-kinds.ts";

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
const otherKinds: readonly Exclude<MemoryKind, "note">[] = ["prompt", "summary", "question", "message"];
const known = new Set<string>([...noteTypes, ...otherKinds]);

/** The type of a note or the kind of another memory, spelled out in its colour. */
export function TypeMark({ type }: { type: string }) {
  const name = known.has(type) ? type : "other";
  return <span class={`mark mark-${name}`}>{name}</span>;
}
