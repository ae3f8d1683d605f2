import { parseJson } from "../shared/json.ts";

/** Where a value stands: keys of objects, indexes of arrays. */
export type Path = readonly (string | number)[];

interface Node {
  start: number;
  end: number;
  /** Of an object or array. */
  children?: Child[];
}

interface Child {
  key: string | number;
  /** Of the key in an object, of the value in an array. */
  start: number;
  node: Node;
}

/**
 * Puts a value at a path, and what is missing on the way to it; an index just past the end appends. Changes nothing else in the
 * text: other people's files keep their order, indentation and line ends. The text must be JSON.
 */
export function setAt(text: string, path: Path, value: unknown): string {
  let node = scan(text, 0);
  for (const [depth, key] of path.entries()) {
    const child = findChild(node, key);
    if (!child) return insert(text, node, key, nest(path.slice(depth + 1), value));
    node = child.node;
  }
  const style = makeStyle(text, indentOf(text, node.start), isMultiline(text));
  return splice(text, node.start, node.end, print(value, style));
}

/** Takes a member or element out, with the comma that goes with it. */
export function removeAt(text: string, path: Path): string {
  let parent = scan(text, 0);
  for (const key of path.slice(0, -1)) {
    const child = findChild(parent, key);
    if (!child) return text;
    parent = child.node;
  }
  const siblings = parent.children ?? [];
  const index = siblings.findLastIndex(({ key }) => key === path.at(-1));
  const [before, child, after] = [siblings[index - 1], siblings[index], siblings[index + 1]];
  if (!child) return text;
  if (before) return splice(text, before.node.end, child.node.end, "");
  if (after) return splice(text, child.start, after.start, "");
  return splice(text, parent.start + 1, parent.end - 1, "");
}

function insert(text: string, parent: Node, key: string | number, value: unknown): string {
  const [first, second] = parent.children ?? [];
  const last = parent.children?.at(-1);
  const label = (space: string): string => (typeof key === "string" ? `${JSON.stringify(key)}:${space}` : "");
  if (!first || !last) {
    const outer = indentOf(text, parent.start);
    const style = makeStyle(text, outer + unitOf(text), parent.start === skip(text, 0) || isMultiline(text));
    const inner = style.isMultiline
      ? `${style.eol}${style.indent}${label(" ")}${print(value, style)}${style.eol}${outer}`
      : `${label("")}${print(value, style)}`;
    return splice(text, parent.start + 1, parent.end - 1, inner);
  }
  const lead = text.slice(parent.start + 1, first.start);
  const style = makeStyle(text, lead.slice(lead.lastIndexOf("\n") + 1), lead.includes("\n"));
  const gap =
    style.isMultiline || !second ? lead : text.slice(text.indexOf(",", first.node.end) + 1, second.start);
  return splice(text, last.node.end, last.node.end, `,${gap}${label(gap && " ")}${print(value, style)}`);
}

interface Style {
  isMultiline: boolean;
  eol: string;
  unit: string;
  /** Of the lines after the first. */
  indent: string;
}

function makeStyle(text: string, indent: string, isMultiline: boolean): Style {
  return { isMultiline, eol: text.includes("\r\n") ? "\r\n" : "\n", unit: unitOf(text), indent };
}

function print(value: unknown, { isMultiline, eol, unit, indent }: Style): string {
  if (!isMultiline) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}

/** One step of indentation, as the first member shows it. */
function unitOf(text: string): string {
  return /^\uFEFF?\s*\{[^\S\n]*\r?\n([ \t]+)/.exec(text)?.[1] ?? "  ";
}

function isMultiline(text: string): boolean {
  return /^\uFEFF?\s*\{[^\S\n]*\r?\n/.test(text);
}

function indentOf(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function nest(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>(
    (inner, key) => (typeof key === "number" ? [inner] : { [key]: inner }),
    value,
  );
}

/** Of a key that stands twice, the last one counts. */
function findChild(node: Node, key: string | number): Child | undefined {
  return node.children?.findLast((child) => child.key === key);
}

function scan(text: string, from: number): Node {
  const start = skip(text, from);
  if (text[start] === '"') return { start, end: endOfString(text, start) };
  if (text[start] === "{" || text[start] === "[") return scanChildren(text, start);
  let end = start;
  while (end < text.length && !" \t\r\n,]}".includes(text[end] ?? "")) end++;
  return { start, end };
}

function scanChildren(text: string, start: number): Node {
  const children: Child[] = [];
  let at = skip(text, start + 1);
  while (text[at] !== "}" && text[at] !== "]") {
    const child = { key: children.length as string | number, start: at };
    if (text[start] === "{") {
      const end = endOfString(text, at);
      child.key = parseJson(text.slice(at, end)) as string;
      at = skip(text, end) + 1; // the colon
    }
    const node = scan(text, at);
    children.push({ ...child, node });
    at = skip(text, node.end);
    if (text[at] === ",") at = skip(text, at + 1);
  }
  return { start, end: at + 1, children };
}

function skip(text: string, from: number): number {
  let at = from;
  while (" \t\r\n\uFEFF".includes(text[at] ?? "x")) at++;
  return at;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function splice(text: string, from: number, to: number, middle: string): string {
  return text.slice(0, from) + middle + text.slice(to);
}
