/** A list may be given as one text with commas: environment variables and the command line have only texts. */
export function splitList(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean);
}
