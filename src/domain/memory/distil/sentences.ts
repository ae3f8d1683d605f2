/** One statement of a text, with its place in it. */
export interface Sentence {
  /** Without Markdown markup. */
  text: string;
  /** Number of its line, from 0. */
  line: number;
  /** Range in the raw text. */
  start: number;
  end: number;
  place: "paragraph" | "bullet" | "row" | "heading" | "quote";
  /** The nearest heading above, without markup. */
  heading: string;
  /** The line that introduces the list or code block: "Two causes:". */
  lead: string;
  /** The fenced code that follows it, for a sentence that ends in a colon. */
  code: string;
}

const fence = /^\s*(```|~~~)/;
// Applied to trimmed lines, and written so that no text takes more than linear time: a message may be one huge line.
const headingLine = /^(?:#{1,6}\s+(.+)|\*\*([^*]+)\*\*:?)$/;
const bulletLine = /^(\s*)(?:[-*+•–]|\(?\d{1,2}[.)]|[a-hA-H][.)])\s+(?:\[[ xX]\]\s+)?/;
const ruleLine = /^(?:[\s|:-]+|[-*_=─━═]{3,})$/;
const quoteLine = /^\s*>\s?/;

/**
 * Splits a Markdown text into statements: sentences of paragraphs, bullets, table rows and headings. Code blocks are
 * attached to the sentence before them.
 */
export function readSentences(markdown: string): Sentence[] {
  const sentences: Sentence[] = [];
  let heading = "";
  let lead = "";
  let code: { lines: string[]; owner: Sentence | undefined } | undefined;
  let isFirstRow = true;
  let offset = 0;
  for (const [number, line] of markdown.split("\n").entries()) {
    const start = offset;
    offset += line.length + 1;
    if (fence.test(line)) {
      if (code) closeCode(code);
      code = code ? undefined : { lines: [], owner: sentences.at(-1) };
      continue;
    }
    if (code) {
      code.lines.push(line);
      continue;
    }
    const bare = line.trim();
    const isRow = bare.length > 1 && bare.startsWith("|") && bare.endsWith("|");
    if (bare === "" || ruleLine.test(bare)) {
      if (!isRow) isFirstRow = true;
      continue;
    }
    const title = headingLine.exec(bare);
    if (title) {
      heading = stripMarkup(withoutClosing(title[1]) ?? title[2] ?? "").replace(/:$/, "");
      lead = "";
      sentences.push({
        text: heading,
        line: number,
        start,
        end: start + line.length,
        place: "heading",
        heading: "",
        lead: "",
        code: "",
      });
      continue;
    }
    if (isRow && isFirstRow) {
      isFirstRow = false; // The header of a table says nothing on its own.
      continue;
    }
    const bullet = bulletLine.exec(line);
    const place = isRow ? "row" : bullet ? "bullet" : quoteLine.test(line) ? "quote" : "paragraph";
    if (place === "paragraph" || place === "quote") lead = "";
    const skipped = bullet?.[0].length ?? quoteLine.exec(line)?.[0].length ?? 0;
    const parts = isRow ? [{ text: line, start: 0 }] : splitSentences(line.slice(skipped));
    for (const part of parts) {
      const text = isRow ? readRow(line) : stripMarkup(part.text);
      if (!/[\p{L}\p{N}]/u.test(text)) continue;
      const from = start + (isRow ? 0 : skipped + part.start);
      sentences.push({
        text,
        line: number,
        start: from,
        end: from + part.text.trimEnd().length,
        place,
        heading,
        lead,
        code: "",
      });
    }
    const last = sentences.at(-1);
    if (
      last &&
      (place === "paragraph" || place === "bullet") &&
      /[:：]$/.test(last.text) &&
      last.end >= start
    ) {
      if (place === "paragraph" || lead === "") lead = last.text;
    }
  }
  if (code) closeCode(code);
  return sentences;
}

/** A heading may end with as many signs as it begins with: `## Cause ##`. */
function withoutClosing(heading: string | undefined): string | undefined {
  let end = heading?.length ?? 0;
  while (heading?.[end - 1] === "#") end--;
  return heading?.slice(0, end);
}

function closeCode({ lines, owner }: { lines: string[]; owner: Sentence | undefined }): void {
  if (owner && owner.code === "" && /[:：]$/.test(owner.text)) owner.code = lines.join("\n").trim();
}

/** Only the texts of the statements. */
export function listSentences(markdown: string): string[] {
  return readSentences(markdown).flatMap(({ text, place }) =>
    place === "heading" || place === "quote" ? [] : [text],
  );
}

function readRow(line: string): string {
  const cells = line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|");
  return cells
    .map((cell) => stripMarkup(cell))
    .filter(Boolean)
    .join(": ");
}

export function stripMarkup(text: string): string {
  return text
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/(^|[\s(])[*_]([^*_\s][^*_]*)[*_](?=[\s.,;:!?)]|$)/g, "$1$2")
    .replace(/!?\[((?:[^\][]|\[[^\][]*\])*)\]\((?:[^()\s]|\([^()]*\))*\)/g, "$1")
    .replace(/<\/?(?:br|b|i|p|div|span|em|strong|details|summary)\b[^<>]{0,200}>/gi, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Sentences end at . ! ? and their full-width forms, before a space and outside backticks. */
function splitSentences(line: string): { text: string; start: number }[] {
  const parts: { text: string; start: number }[] = [];
  let start = 0;
  let isCode = false;
  const take = (end: number): void => {
    const raw = line.slice(start, end);
    const lead = raw.length - raw.trimStart().length;
    if (raw.trim()) parts.push({ text: raw.trim(), start: start + lead });
    start = end;
  };
  for (let i = 0; i < line.length; i++) {
    const character = line[i] ?? "";
    if (character === "`") isCode = !isCode;
    if (isCode) continue;
    const isFullWidth = character === "。" || character === "！" || character === "？";
    const isStop = character === "." || character === "!" || character === "?";
    if (!isFullWidth && !isStop) continue;
    if (isStop && !/^[*_"'”’)\]]{0,3}(?:\s|$)/.test(line.slice(i + 1, i + 6))) continue;
    if (
      character === "." &&
      isAbbreviation(line.slice(Math.max(start, i - 40), i + 1), line.slice(i + 1, i + 8))
    )
      continue;
    const closing = isStop ? (/^[*_"'”’)\]]{0,3}/.exec(line.slice(i + 1, i + 4))?.[0].length ?? 0) : 0;
    take(i + 1 + closing);
  }
  take(line.length);
  return parts;
}

const abbreviation =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|bzw|z\.\s?B|u\.\s?a|approx|incl|nr|fig|ca|cf|p|pp|ex|núm|стр|т\.\s?е)\.$/i;
/** "no. 5" is a number, "No. The …" an answer. */
const numbered = /(?:^|[\s(*])(?:no|\d{1,2}|[A-H])\.$/i;

function isAbbreviation(text: string, rest: string): boolean {
  return (
    abbreviation.test(text) ||
    (numbered.test(text) && (/^\s*\d/.test(rest) || /^\s*\*{0,2}(?:\d{1,2}|[A-H])\.$/.test(text)))
  );
}
