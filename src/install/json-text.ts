import {
  type Node as JsonNode,
  type ParseError,
  parseTree,
  printParseErrorCode,
  stripComments,
  visit,
} from "jsonc-parser";

/** Path of a value: object keys and array indexes. */
export type Path = readonly (string | number)[];

interface Node {
  start: number;
  end: number;
  /** Set for an object or array. */
  children?: Child[];
}

interface Child {
  key: string | number;
  /** Start of the key in an object, of the value in an array. */
  start: number;
  node: Node;
}

/**
 * Sets the value at a path and creates missing containers; an index just past the end appends. Nothing else in the text
 * changes: comments, order, indentation and line ends are kept.
 */
export function setAt(text: string, path: Path, value: unknown): string {
  let node = scan(text);
  for (const [depth, key] of path.entries()) {
    const child = findChild(node, key);
    if (!child) return insert(text, node, key, nest(path.slice(depth + 1), value));
    node = child.node;
  }
  const style = makeStyle(text, indentOf(text, node.start), isMultiline(text));
  return splice(text, node.start, node.end, print(value, style));
}

/** Removes a member or element with its comma. Comments around it stay. */
export function removeAt(text: string, path: Path): string {
  let parent = scan(text);
  for (const key of path.slice(0, -1)) {
    const child = findChild(parent, key);
    if (!child) return text;
    parent = child.node;
  }
  const siblings = parent.children ?? [];
  const index = siblings.findLastIndex(({ key }) => key === path.at(-1));
  const [before, child, after] = [siblings[index - 1], siblings[index], siblings[index + 1]];
  if (!child) return text;
  const lead = text.slice(before?.node.end ?? parent.start + 1, child.start);
  const rest = text.slice(child.node.end, after?.start ?? parent.end - 1);
  const isPlain = !hasComment(lead) && !hasComment(rest);
  if (isPlain || (before && !hasComment(lead))) {
    if (before) return splice(text, before.node.end, child.node.end, "");
    if (after) return splice(text, child.start, after.start, "");
    return splice(text, parent.start + 1, parent.end - 1, "");
  }
  return removeAmongComments(text, { lead, start: child.start, end: child.node.end, rest });
}

/** Removes one comma with the child: the one after it, else the one before it. */
function removeAmongComments(
  text: string,
  { lead, start, end, rest }: { lead: string; start: number; end: number; rest: string },
): string {
  const commaBehind = blankComments(rest).indexOf(",");
  const commaBefore = blankComments(lead).lastIndexOf(",");
  const dropsBefore = commaBehind < 0 && commaBefore >= 0;
  const kept = dropsBefore ? splice(lead, commaBefore, commaBefore + 1, "") : lead;
  const behind = commaBehind < 0 ? rest : splice(rest, commaBehind, commaBehind + 1, "");
  // The indentation before the first child stays: a comment or the next child moves there.
  const isFirst = commaBefore < 0 && behind.trim() !== "";
  const joined = isFirst ? lead + behind.trimStart() : kept.trimEnd() + behind;
  return splice(text, start - lead.length, end + rest.length, joined);
}

function insert(text: string, parent: Node, key: string | number, value: unknown): string {
  const [first, second] = parent.children ?? [];
  const last = parent.children?.at(-1);
  const label = (space: string): string => (typeof key === "string" ? `${JSON.stringify(key)}:${space}` : "");
  if (!first || !last) {
    const outer = indentOf(text, parent.start);
    const inside = text.slice(parent.start + 1, parent.end - 1);
    const comments = hasComment(inside) ? inside.trimEnd() : "";
    const isTop = text.slice(0, parent.start).trim() === "";
    const style = makeStyle(text, outer + unitOf(text), comments !== "" || isTop || isMultiline(text));
    const inner = style.isMultiline
      ? `${comments}${style.eol}${style.indent}${label(" ")}${print(value, style)}${style.eol}${outer}`
      : `${label("")}${print(value, style)}`;
    return splice(text, parent.start + 1, parent.end - 1, inner);
  }
  const written = text.slice(parent.start + 1, first.start);
  const lead = hasComment(written) ? written.slice(Math.max(0, written.search(/\r?\n[ \t]*$/))) : written;
  const style = makeStyle(text, lead.slice(lead.lastIndexOf("\n") + 1), lead.includes("\n"));
  const gap =
    style.isMultiline || !second ? lead : text.slice(text.indexOf(",", first.node.end) + 1, second.start);
  return splice(text, last.node.end, last.node.end, `,${gap}${label(gap && " ")}${print(value, style)}`);
}

interface Style {
  isMultiline: boolean;
  eol: string;
  unit: string;
  /** Indentation of the lines after the first. */
  indent: string;
}

function makeStyle(text: string, indent: string, isMultiline: boolean): Style {
  return { isMultiline, eol: text.includes("\r\n") ? "\r\n" : "\n", unit: unitOf(text), indent };
}

function print(value: unknown, { isMultiline, eol, unit, indent }: Style): string {
  if (!isMultiline) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll("\n", eol + indent);
}

/** One step of indentation, taken from the first member. */
function unitOf(text: string): string {
  return /^\uFEFF?\s*\{[^\S\n]*\r?\n\s*?([ \t]+)\S/.exec(blankComments(text))?.[1] ?? "  ";
}

function isMultiline(text: string): boolean {
  return /^\uFEFF?\s*\{[^\S\n]*\r?\n/.test(blankComments(text));
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

/** If a key occurs twice, the last one counts. */
function findChild(node: Node, key: string | number): Child | undefined {
  return node.children?.findLast((child) => child.key === key);
}

/** Comments and trailing commas are allowed. Throws for anything else that is not JSON. */
export function parseText(text: string): JsonNode {
  const errors: ParseError[] = [];
  // The byte order mark becomes a blank, so that offsets stay valid.
  const tree = parseTree(text.replace(/^\uFEFF/, " "), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) throw new Error(`${printParseErrorCode(error.error)} at character ${error.offset + 1}`);
  if (!tree) throw new Error("the file is empty");
  return tree;
}

export function listComments(text: string): string[] {
  const comments: string[] = [];
  visit(text, { onComment: (offset, length) => void comments.push(text.slice(offset, offset + length)) });
  return comments;
}

function scan(text: string): Node {
  return toNode(parseText(text));
}

function toNode({ type, offset, length, children = [] }: JsonNode): Node {
  const node = { start: offset, end: offset + length };
  if (type === "array")
    return {
      ...node,
      children: children.map((child, key) => ({ key, start: child.offset, node: toNode(child) })),
    };
  if (type !== "object") return node;
  const members = children.flatMap(({ offset: start, children: [key, value] = [] }) =>
    key && value ? [{ key: key.value as string, start, node: toNode(value) }] : [],
  );
  return { ...node, children: members };
}

/** Replaces comments with blanks, so that offsets stay valid. */
function blankComments(text: string): string {
  return stripComments(text, " ");
}

function hasComment(text: string): boolean {
  return blankComments(text) !== text;
}

function splice(text: string, from: number, to: number, middle: string): string {
  return text.slice(0, from) + middle + text.slice(to);
}
