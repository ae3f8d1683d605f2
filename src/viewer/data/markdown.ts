import { parseInline, type Inline } from "./markdown-inline.ts";

/** A parsed block. Texts are plain strings: nothing in here is HTML. */
export type Block =
  | { type: "paragraph"; content: Inline[] }
  | { type: "heading"; level: number; content: Inline[] }
  | { type: "code"; text: string; info: string }
  | { type: "quote"; blocks: Block[] }
  | { type: "list"; isNumbered: boolean; items: ListItem[] }
  | { type: "table"; head: Inline[][]; rows: Inline[][][]; align: Align[] }
  | { type: "rule" };

export interface ListItem {
  /** Undefined for a bullet. */
  number: number | undefined;
  /** Undefined if it is not a task. */
  isDone: boolean | undefined;
  blocks: Block[];
}

type Align = "left" | "center" | "right" | undefined;

/** Deeper quotes and lists are shown as they were written. */
const maxDepth = 6;
/** Every row is filled up to the number of columns, so this bounds the cells by the length of the text. */
const maxColumns = 20;

/**
 * Parses the Markdown that agents and people write: headings, lists, tables, quotes, code and links. Line breaks count,
 * as in a chat. HTML is ordinary text. Every line is read a bounded number of times, so the time is linear in the
 * length of the text, and no marker is removed unless its meaning is shown.
 */
export function parseMarkdown(text: string): Block[] {
  return parseBlocks(text.replaceAll("\r\n", "\n").split("\n"), 0);
}

/** Reads one block at a line; undefined if another kind of block starts there. */
type BlockReader = (lines: readonly string[], at: number, depth: number) => Read | undefined;
interface Read {
  block: Block;
  /** The first line after the block. */
  next: number;
}

function parseBlocks(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const read = readBlock(lines, at, depth) ?? readIndented(lines, at) ?? readParagraph(lines, at, depth);
    blocks.push(read.block);
    at = read.next;
  }
  return blocks;
}

function readBlock(lines: readonly string[], at: number, depth: number): Read | undefined {
  for (const read of blockReaders) {
    const found = read(lines, at, depth);
    if (found) return found;
  }
  return undefined;
}

function readParagraph(lines: readonly string[], at: number, depth: number): Read {
  let next = at + 1;
  while (next < lines.length && !isBlank(lines[next]) && !startsBlock(lines, next, depth)) next++;
  return {
    block: { type: "paragraph", content: parseInline(lines.slice(at, next).join("\n").trimEnd()) },
    next,
  };
}

/** Whether a block starts here that ends a paragraph. Cheap: it parses nothing. */
function startsBlock(lines: readonly string[], at: number, depth: number): boolean {
  const line = lines[at] ?? "";
  return (
    readFenceMarks(line) !== undefined ||
    heading.test(line) ||
    isRule(line) ||
    (depth < maxDepth && (quote.test(line) || readMarker(line) !== undefined)) ||
    readTableHead(lines, at) !== undefined
  );
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === "";
}

interface Fence {
  marks: string;
  /** The text after the marks: usually a language, sometimes a path. */
  info: string;
}

function readFenceMarks(line: string): Fence | undefined {
  const text = line.trimStart();
  const letter = text[0] ?? "";
  if ((letter !== "`" && letter !== "~") || !text.startsWith(letter.repeat(3)) || indentOf(line) > 3)
    return undefined;
  let length = 3;
  while (text[length] === letter) length++;
  const info = text.slice(length).trim();
  if (letter === "`" && info.includes("`")) return undefined; // Code within a line.
  return { marks: text.slice(0, length), info };
}

/** A block without an end runs to the end of its container. */
const readFence: BlockReader = (lines, at) => {
  const fence = readFenceMarks(lines[at] ?? "");
  if (!fence) return undefined;
  const { marks, info } = fence;
  const indent = indentOf(lines[at] ?? "");
  let next = at + 1;
  while (next < lines.length && !isFenceEnd(lines[next] ?? "", marks)) next++;
  const code = lines.slice(at + 1, next).map((line) => removeIndent(line, indent));
  return { block: { type: "code", text: code.join("\n"), info }, next: next + 1 };
};

function isFenceEnd(line: string, marks: string): boolean {
  const end = line.trim();
  return indentOf(line) < 4 && end.length >= marks.length && end === (marks[0] ?? "").repeat(end.length);
}

/** Lines that are indented by four or more columns, after a blank line. */
function readIndented(lines: readonly string[], at: number): Read | undefined {
  let next = at;
  while (next < lines.length && !isBlank(lines[next]) && indentOf(lines[next] ?? "") >= 4) next++;
  if (next === at) return undefined;
  const text = lines
    .slice(at, next)
    .map((line) => removeIndent(line, 4))
    .join("\n");
  return { block: { type: "code", text, info: "" }, next };
}

const heading = /^ {0,3}(#{1,6})[ \t]+\S/;

const readHeading: BlockReader = (lines, at) => {
  const line = lines[at] ?? "";
  const level = heading.exec(line)?.[1]?.length;
  if (level === undefined) return undefined;
  return {
    block: { type: "heading", level, content: parseInline(line.trim().slice(level).trim()) },
    next: at + 1,
  };
};

function isRule(line: string): boolean {
  const marks = line.replace(/[ \t]/g, "");
  return /^(?:-{3,}|\*{3,}|_{3,})$/.test(marks) && indentOf(line) < 4;
}

const readRule: BlockReader = (lines, at) =>
  isRule(lines[at] ?? "") ? { block: { type: "rule" }, next: at + 1 } : undefined;

const quote = /^ {0,3}> ?/;

const readQuote: BlockReader = (lines, at, depth) => {
  if (depth >= maxDepth || !quote.test(lines[at] ?? "")) return undefined;
  let next = at;
  while (next < lines.length && quote.test(lines[next] ?? "")) next++;
  const inner = lines.slice(at, next).map((line) => line.replace(quote, ""));
  return { block: { type: "quote", blocks: parseBlocks(inner, depth + 1) }, next };
};

interface Marker {
  indent: number;
  /** The columns up to the text of the item. */
  width: number;
  /** Undefined for a bullet. */
  number: number | undefined;
}

/** `+` is no bullet: it would hide the sign of an added line in a diff. */
const marker = /^([-*•]|\d{1,9}[.)])(?: +|$)/;
const maxMarkerIndent = 3;

function readMarker(line: string): Marker | undefined {
  const indent = indentOf(line);
  if (indent > maxMarkerIndent || isRule(line)) return undefined;
  const [whole, mark = ""] = marker.exec(line.trimStart()) ?? [];
  if (whole === undefined) return undefined;
  const number = /\d/.test(mark) ? Number.parseInt(mark, 10) : undefined;
  return { indent, width: indent + Math.min(whole.length, mark.length + 4), number };
}

/** An item includes the lines that are indented below its text; any other line ends the list. */
const readList: BlockReader = (lines, at, depth) => {
  const first = depth < maxDepth ? readMarker(lines[at] ?? "") : undefined;
  if (!first) return undefined;
  const isNumbered = first.number !== undefined;
  const items: { number: number | undefined; lines: string[] }[] = [];
  let width = first.width;
  const isSibling = (found: Marker | undefined): found is Marker =>
    found !== undefined && found.indent < first.indent + 2 && (found.number !== undefined) === isNumbered;
  const isInside = (line: string): boolean => indentOf(line) >= Math.min(width, first.indent + 2);

  let next = at;
  while (next < lines.length) {
    const line = lines[next] ?? "";
    const found = readMarker(line);
    if (isSibling(found)) {
      ({ width } = found);
      items.push({ number: found.number, lines: [line.trimStart().replace(marker, "")] });
      next++;
    } else if (isBlank(line)) {
      const end = skipBlank(lines, next);
      const after = lines[end];
      if (after === undefined || !(isSibling(readMarker(after)) || isInside(after))) break;
      items.at(-1)?.lines.push("");
      next = end;
    } else if (isInside(line)) {
      items.at(-1)?.lines.push(removeIndent(line, width));
      next++;
    } else break;
  }
  const parsed = items.map((item) => parseItem(item.number, item.lines, depth + 1));
  return { block: { type: "list", isNumbered, items: parsed }, next };
};

function skipBlank(lines: readonly string[], at: number): number {
  let end = at;
  while (end < lines.length && isBlank(lines[end])) end++;
  return end;
}

const task = /^\[([ xX])\] +/;

function parseItem(number: number | undefined, lines: readonly string[], depth: number): ListItem {
  const [, box] = task.exec(lines[0] ?? "") ?? [];
  const [first = "", ...rest] = lines;
  const isDone = box === undefined ? undefined : box !== " ";
  return { number, isDone, blocks: parseBlocks([first.replace(task, ""), ...rest], depth) };
}

interface TableHead {
  cells: string[];
  align: Align[];
}

const delimiterRow = /^[ \t:|-]+$/;

function readTableHead(lines: readonly string[], at: number): TableHead | undefined {
  const [line = "", below = ""] = [lines[at], lines[at + 1]];
  if (!line.includes("|") || !below.includes("|") || !delimiterRow.test(below)) return undefined;
  const delimiters = splitCells(below);
  const cells = splitCells(line);
  const isTable =
    cells.length <= maxColumns &&
    cells.length === delimiters.length &&
    delimiters.every((cell) => /^:?-+:?$/.test(cell));
  return isTable ? { cells, align: delimiters.map(readAlign) } : undefined;
}

function readAlign(cell: string): Align {
  if (cell.endsWith(":")) return cell.startsWith(":") ? "center" : "right";
  return cell.startsWith(":") ? "left" : undefined;
}

/** Further cells than the head has are joined into its last column: none is left out. */
const readTable: BlockReader = (lines, at) => {
  const head = readTableHead(lines, at);
  if (!head) return undefined;
  let next = at + 2;
  while (next < lines.length && (lines[next] ?? "").includes("|") && !isBlank(lines[next])) next++;
  const columns = head.cells.length;
  const rows = lines.slice(at + 2, next).map((line) => {
    const cells = splitCells(line);
    const fitting = [...cells.slice(0, columns - 1), cells.slice(columns - 1).join(" | ")];
    return Array.from({ length: columns }, (_, index) => parseInline(fitting[index] ?? ""));
  });
  return {
    block: { type: "table", head: head.cells.map((cell) => parseInline(cell)), rows, align: head.align },
    next,
  };
};

/** Splits at `|`, but not at `\|` or inside backticks. */
function splitCells(line: string): string[] {
  const row = line.trim().replace(/^\|/, "");
  const cells: string[] = [];
  let cell = "";
  for (const part of row.split(/(\\\||`[^`]*`|\|)/)) {
    if (part === "|") {
      cells.push(cell.trim());
      cell = "";
    } else cell += part === "\\|" ? "|" : part;
  }
  if (cell.trim() !== "") cells.push(cell.trim());
  return cells;
}

/** Columns of white space at the start; a tab reaches to the next multiple of four. */
function indentOf(line: string): number {
  let columns = 0;
  for (const letter of line) {
    if (letter === " ") columns++;
    else if (letter === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}

/** Removes up to this many columns of white space. */
function removeIndent(line: string, width: number): string {
  let at = 0;
  for (let columns = 0; columns < width; at++) {
    if (line[at] === " ") columns++;
    else if (line[at] === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return line.slice(at);
}

const blockReaders: readonly BlockReader[] = [
  readFence,
  readHeading,
  readRule,
  readQuote,
  readList,
  readTable,
];
