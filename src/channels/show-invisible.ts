import { invisible } from "../shared/defuse.ts";

const escaped = new RegExp(`${invisible.source}|\\r`, "gu");

/**
 * Writes invisible characters as escapes: a person who approves a text must see all of it, and bidi marks must not
 * reorder it.
 */
export function showInvisible(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(escaped, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
