import { truncate } from "../../shared/text.ts";

const maxLetters = 200;

/** A text as one line, truncated. */
export function flattenToLine(text: string, limit = maxLetters): string {
  const flat = text
    .slice(0, limit * 4)
    .replace(/\s+/g, " ")
    .trim();
  return truncate(flat, limit);
}
