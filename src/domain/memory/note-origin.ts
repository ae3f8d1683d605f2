/** Who made a note, if it came from another machine, and who contradicts it. Undefined: made here, undisputed. */
export type NoteOrigin = { author: string | null; disputedBy: readonly (string | null)[] } | undefined;

/** ` from="bob" disputed-by="you"`: attributes, because the text next to them is another person's. */
export function formatOrigin(origin: NoteOrigin): string {
  if (!origin) return "";
  const { author, disputedBy } = origin;
  const names = [...new Set(disputedBy.map((name) => name ?? "you"))]
    .map((name) => cleanName(name))
    .join(", ");
  return `${author === null ? "" : ` from="${cleanName(author)}"`}${names ? ` disputed-by="${names}"` : ""}`;
}

function cleanName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]/g, "");
}
