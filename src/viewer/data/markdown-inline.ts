export type Inline =
  | string
  | { type: "code"; text: string }
  | { type: "strong" | "emphasis" | "both" | "deleted"; content: Inline[] }
  /** No content: the target itself. `href` is undefined if it may not be opened; the target is shown in any case. */
  | { type: "link"; content: Inline[]; target: string; href: string | undefined };

type MarkType = "strong" | "emphasis" | "both" | "deleted";

/** Without `__`: it is the name of a Python method more often than bold text. */
const markTypes: Record<string, MarkType> = {
  "*": "emphasis",
  _: "emphasis",
  "**": "strong",
  "***": "both",
  "~~": "deleted",
};

/** An opened mark, until its end is found. */
interface OpenMark {
  mark: string;
  content: Inline[];
}

const maxOpenMarks = 8;
/** Longer runs of backticks are text. */
const maxBackticks = 4;

/** The next place where a rule may apply. */
const special = /[\\`*_~[!<]|https?:\/\//gi;

/** Parses the marks inside of a block. Linear: each rule looks ahead a bounded distance, or never fails twice for one mark. */
export function parseInline(text: string, hasLinks = true): Inline[] {
  const open: OpenMark[] = [{ mark: "", content: [] }];
  const withoutEnd = new Set<number>();
  let plainFrom = 0;

  const add = (...parts: Inline[]): void => {
    open.at(-1)?.content.push(...parts);
  };
  const addPlain = (to: number): void => {
    if (to > plainFrom) add(text.slice(plainFrom, to));
  };
  /** Replaces the text up to `end` by these parts. */
  const put = (at: number, end: number, ...parts: Inline[]): number => {
    addPlain(at);
    add(...parts);
    plainFrom = end;
    return end;
  };
  /** Turns an opened mark that has no end back into text. */
  const giveUp = (): void => {
    const { mark, content } = open.pop() as OpenMark;
    const parent = open.at(-1) as OpenMark;
    parent.content.push(mark);
    for (const part of content) parent.content.push(part);
  };

  function readCode(at: number): number {
    const length = lengthOfRun(text, at);
    if (length > maxBackticks || withoutEnd.has(length)) return at + length;
    const end = findRun(text, at + length, length);
    if (end < 0) {
      withoutEnd.add(length);
      return at + length;
    }
    return put(at, end + length, { type: "code", text: trimCode(text.slice(at + length, end)) });
  }

  function readMark(at: number): number {
    const mark = text.slice(at, at + lengthOfRun(text, at));
    const end = at + mark.length;
    const type = markTypes[mark];
    if (type === undefined) return end;
    const [before, after] = [text[at - 1] ?? " ", text[end] ?? " "];
    const from = open.findLastIndex((one) => one.mark === mark);
    if (from > 0 && canEnd.test(before) && !isWordLetter.test(after)) {
      addPlain(at);
      while (open.length > from + 1) giveUp();
      const { content } = open.pop() as OpenMark;
      plainFrom = end;
      add({ type, content });
    } else if (open.length <= maxOpenMarks && !isWordLetter.test(before) && canStart.test(after)) {
      addPlain(at);
      plainFrom = end;
      open.push({ mark, content: [] });
    }
    return end;
  }

  function readLink(at: number): number {
    const start = text[at] === "!" ? at + 1 : at;
    link.lastIndex = start;
    const [whole, label = "", target = ""] = (hasLinks && link.exec(text)) || [];
    if (whole === undefined) return at + 1;
    const content = parseInline(label, false);
    return put(at, start + whole.length, { type: "link", content, target, href: safeAddress(target) });
  }

  function readAddress(at: number): number {
    address.lastIndex = at;
    const found = (hasLinks && !isWordLetter.test(text[at - 1] ?? " ") && address.exec(text)?.[0]) || "";
    const target = trimAddress(found);
    const href = safeAddress(target);
    if (href === undefined) return at + 4;
    return put(at, at + target.length, { type: "link", content: [], target, href });
  }

  function read(at: number): number {
    const letter = text[at] ?? "";
    if (letter === "`") return readCode(at);
    if (letter === "[" || (letter === "!" && text[at + 1] === "[")) return readLink(at);
    if (letter === "\\")
      return escapable.test(text[at + 1] ?? "") ? put(at, at + 2, text[at + 1] ?? "") : at + 1;
    if (letter === "<") return readBracketed(at);
    if (letter === "h" || letter === "H") return readAddress(at);
    return letter === "!" ? at + 1 : readMark(at);
  }

  /** `<https://example.org>`; anything else in angle brackets is text. */
  function readBracketed(at: number): number {
    bracketed.lastIndex = at;
    const target = (hasLinks && bracketed.exec(text)?.[1]) || "";
    const href = safeAddress(target);
    if (href === undefined) return at + 1;
    return put(at, at + target.length + 2, { type: "link", content: [], target, href });
  }

  for (let at = 0; ; ) {
    special.lastIndex = at;
    const found = special.exec(text);
    if (!found) break;
    at = read(found.index);
  }
  addPlain(text.length);
  while (open.length > 1) giveUp();
  return open[0]?.content ?? [];
}

const escapable = /[\\`*_~[\]#|<>]/;
const isWordLetter = /[\p{L}\p{N}_]/u;
/**
 * Narrower than in other dialects, because globs, paths and formulas must keep their asterisks: a marked text starts and
 * ends with a word, a quotation, a bracket or code.
 */
const canStart = /[\p{L}\p{N}\p{So}\p{Cs}"'“„«([`$@#&~<‹]/u;
const canEnd = /[\p{L}\p{N}\p{M}\p{So}\p{Cs}"'”“»)\]`.,:;!?%…>›]/u;

/** The lengths are bounded, and a bracket ends the search, so many opening brackets cost nothing. */
const link = /\[([^[\]\n]{1,300})\]\(((?:[^()\s<>]|\([^()\s<>]{0,200}\)){1,2000})\)/y;
const address = /https?:\/\/[^\s<>"`]{1,2000}/iy;
const bracketed = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/iy;

/** Punctuation after an address belongs to the sentence; a bracket does if it was opened before the address. */
function trimAddress(found: string): string {
  const hasBracket = found.includes("(");
  let end = found.length;
  while (end > 0) {
    const letter = found[end - 1] ?? "";
    const isOuter = letter === ")" && !hasBracket;
    if (!isOuter && !/[.,:;!?'*_~|\]}]/.test(letter)) break;
    end--;
  }
  return found.slice(0, end);
}

const openable = new Set(["http:", "https:", "mailto:"]);

/** The address in its normal form, if a browser may open it. Credentials in it could pass for the name of a site. */
export function safeAddress(target: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:)/i.test(target)) return undefined;
  const url = URL.parse(target);
  if (!url || !openable.has(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  return url.href;
}

function lengthOfRun(text: string, at: number): number {
  let end = at;
  while (text[end] === text[at]) end++;
  return end - at;
}

/** The next run of exactly this many backticks. */
function findRun(text: string, from: number, length: number): number {
  for (let at = text.indexOf("`", from); at >= 0; at = text.indexOf("`", at)) {
    const run = lengthOfRun(text, at);
    if (run === length) return at;
    at += run;
  }
  return -1;
}

/** One space on each side lets code begin or end with a backtick. */
function trimCode(code: string): string {
  const isPadded = code.startsWith(" ") && code.endsWith(" ") && code.trim() !== "";
  return isPadded ? code.slice(1, -1) : code;
}
