import { toOneLine, truncate } from "../../shared/text.ts";

const maxLetters = 200;

/** A text as one line, truncated. Only the start of a long text is read. */
export function flattenToLine(text: string, limit = maxLetters): string {
  return truncate(toOneLine(text.slice(0, limit * 4)), limit);
}
