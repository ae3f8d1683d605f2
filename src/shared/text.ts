const ellipsis = "…";

/** The start of a text, without splitting a character. */
export function takeStart(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
}

/** At most `max` characters, ending with an ellipsis if something was cut. */
export function truncate(text: string, max: number): string {
  return text.length <= max ? text : `${takeStart(text, max - ellipsis.length)}${ellipsis}`;
}

/** Like `truncate`, but cut at the end of a word if one is near. */
export function truncateAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const start = takeStart(text, max - ellipsis.length);
  const space = start.lastIndexOf(" ");
  return `${space > max * 0.6 ? start.slice(0, space) : start}${ellipsis}`;
}

/** A text as one line, cut at the end of a word. */
export function clip(text: string, max: number): string {
  return truncateAtWord(toOneLine(text), max);
}

/** Joins as many texts as fit into `max` characters, each whole; a first text that is too long on its own is clipped. */
export function joinFitting(texts: readonly string[], separator: string, max: number): string {
  let joined = clip(texts[0] ?? "", max);
  for (const text of texts.slice(1)) {
    if (joined.length + separator.length + text.length > max) break;
    joined += separator + text;
  }
  return joined;
}

/** Keeps head and tail of a long text, `max` characters in total, with a line between them that gives the omitted length. */
export function truncateMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const headLength = Math.ceil(max * 0.7);
  const head = takeStart(text, headLength);
  const tail = text.slice(text.length - (max - headLength)).replace(/^[\uDC00-\uDFFF]/, "");
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

/** Quotes a text for a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The text with each run of white space replaced by one space, and none at its ends. */
export function toOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
