import { listSentences } from "./distil/sentences.ts";
import { shortenTitle, stripOpening } from "./distil/title.ts";

interface NoteText {
  title: string;
  narrative: string;
}

/** Maximum text length of a row, in characters. */
const maxRow = 180;
/** "No." before a sentence answers a question that is no longer visible. */
const answer = /^(?:no|yes|correct|right)\.\s+(?=\S.{20})/i;
const command = /^\/[\w:-]+\s+/;

/**
 * A note as one self-contained line: the full sentence that its title was cut from, if it fits. Half a sentence may
 * say the opposite.
 */
export function makeRowText({ title, narrative }: NoteText): string {
  const start = keyOf(title);
  const whole = listSentences(narrative)
    .map((sentence) => stripOpening(sentence))
    .find((sentence) => keyOf(sentence).startsWith(start) && sentence.length >= title.length);
  const text = (whole ?? title)
    .replace(answer, "")
    .replace(command, "")
    .replaceAll("**", "")
    .replace(/\s*\([^()]*$/, "")
    .replace(/[.。:：\s]+$/u, "");
  const short = shortenTitle(text, maxRow);
  return short.charAt(0).toUpperCase() + short.slice(1);
}

const maxWithRejected = 200;

/** The text of a note's row. A decision includes the rejected options if they fit. */
export function formatNote(note: NoteText & { facts: readonly string[] }): string {
  const text = makeRowText(note);
  const rejected = note.facts.find((fact) => fact.startsWith("Not chosen: "));
  const extra = rejected ? ` (not: ${rejected.slice("Not chosen: ".length)})` : "";
  return text.length + extra.length <= maxWithRejected ? text + extra : text;
}

const choice = /^(.*[?？…]) → (.+)$/u;

/**
 * Shortens the text of a row: first the rejected options, articles and code marks, as in a headline, then clauses. A
 * choice keeps its answer.
 */
export function shortenRow(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const bare = dropArticles(text.replace(/ \(not: [^()]*\)$/, ""));
  const [, question, chosen] = choice.exec(bare) ?? [];
  if (question === undefined || chosen === undefined) return shortenHeadline(bare, limit);
  const end = ` → ${shortenHeadline(chosen, Math.floor(limit / 2))}`;
  return shortenHeadline(question, limit - end.length) + end;
}

/** Lengths to try, in characters, if a text cannot be shortened to the wanted one. */
const longerRows = [104, 122, 145, 170, 200];

/** The shortest form of a text that is not cut within a clause, at least `limit` long; undefined if there is none. */
export function fitRow(shorten: (limit: number) => string, limit: number): string | undefined {
  return [limit, ...longerRows.filter((length) => length > limit)]
    .map(shorten)
    .find((text) => !text.includes("…"));
}

function dropArticles(text: string): string {
  const short = text
    .split(/(`[^`]*`)/)
    .map((part, n) =>
      n % 2 === 0 ? part.replace(/(?<![\p{L}\p{N}-])(?:the|an?) (?=[\p{L}\p{N}]|$)/giu, "") : part,
    )
    .join("");
  return short.charAt(0).toUpperCase() + short.slice(1);
}

/** The marks of code do not count, because they are removed. */
function shortenHeadline(text: string, limit: number): string {
  const marks = text.split("`").length - 1;
  return shortenTitle(text, limit + marks).replaceAll("`", "");
}

/** The first words as letters and digits only: a title omits markup and some parentheses. */
function keyOf(text: string): string {
  return text
    .replace(/…$/, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, 24);
}
