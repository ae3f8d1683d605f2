import { listSentences } from "./distil/sentences.ts";
import { shortenTitle, stripOpening } from "./distil/title.ts";

interface NoteText {
  title: string;
  narrative: string;
}

/** Longest text of a row, in characters. */
const maxRow = 170;

/**
 * A note as one line that can be read without opening it. A title that was cut is replaced by the sentence it was cut
 * from, as far as it fits.
 */
export function makeRowText({ title, narrative }: NoteText): string {
  const start = keyOf(title.replace(/…$/, ""));
  if (!title.endsWith("…") && !title.includes("…")) return title;
  const whole = listSentences(narrative).find((sentence) => keyOf(stripOpening(sentence)).startsWith(start));
  if (whole === undefined) return title;
  const text = shortenTitle(stripOpening(whole).replace(/[.。\s]+$/u, ""), maxRow);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The first words, as letters and digits alone: a title leaves out markup and some parentheses. */
function keyOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, 24);
}
