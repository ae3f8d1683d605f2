/** The part of a line that `mayHaveEntries` reads. */
export const headLength = 512;

const plainField = String.raw`"\w+":(?:null|true|false|-?\d+|"[^"\\]*"),`;
const pattern = new RegExp(
  String.raw`^\{(?:${plainField}){0,12}?"(?:type":"([\w-]+)"|attachment":\{"type":"([\w-]+)")`,
);
const lineTypes = new Set([
  "user",
  "assistant",
  "system",
  "attachment",
  "summary",
  "ai-title",
  "custom-title",
]);

/**
 * False only for lines that certainly contain nothing for us. Decides by the first characters, so that snapshots, requests
 * and injected context, which are most of a transcript, need not be parsed. It reads only top-level fields, so no text
 * inside a line can mislead it.
 */
export function mayHaveEntries(head: string): boolean {
  const match = pattern.exec(head);
  if (!match) return true;
  if (match[2] !== undefined) return match[2] === "queued_command";
  return lineTypes.has(match[1] ?? "");
}
