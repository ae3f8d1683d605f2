import type { BlameMatch } from "../../protocol/blame.ts";
import { parseJson } from "../../shared/json.ts";

export const editTools = ["Edit", "MultiEdit", "Write", "NotebookEdit"] as const;

/** One text put in the place of another; `null` where it is not known what stood there. */
interface Change {
  before: string | null;
  after: string;
}

export interface WantedLine {
  text: string;
  before?: string | undefined;
  after?: string | undefined;
}

type Fields = Record<string, unknown>;

/** Whether an edit brought this line in or passed it on. White space does not count. */
export function judgeEdit(
  tool: string,
  payload: unknown,
  wanted: WantedLine,
): Extract<BlameMatch, "added" | "kept"> | undefined {
  const patterns = makePatterns(wanted);
  const verdicts = listChanges(tool, payload).map(({ before, after }) => {
    if (!holds(after, patterns)) return undefined;
    return before !== null && holds(before, patterns) ? "kept" : "added";
  });
  return verdicts.includes("added") ? "added" : verdicts.find((verdict) => verdict !== undefined);
}

/** A line that says little (`}`, `end`) is known by the one before or after it. */
function makePatterns({ text, before = "", after = "" }: WantedLine): string[][] {
  const [line, above, below] = [squeeze(text), squeeze(before), squeeze(after)];
  if (!line) return [];
  const letters = line.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (letters >= 6) return [[line]];
  return [
    ...(above ? [[above, line]] : []),
    ...(below ? [[line, below]] : []),
    ...(above || below ? [] : [[line]]),
  ];
}

function holds(text: string, patterns: string[][]): boolean {
  const lines = text.split("\n").map(squeeze).filter(Boolean);
  return lines.some((_, at) =>
    patterns.some((pattern) => pattern.every((line, offset) => isSameLine(lines[at + offset], line))),
  );
}

/** Of a very long line only the beginning is asked for. */
function isSameLine(line: string | undefined, wanted: string): boolean {
  return line === wanted || (wanted.length >= 100 && line?.startsWith(wanted) === true);
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, "");
}

function listChanges(tool: string, payload: unknown): Change[] {
  const { tool_input, tool_response } = asFields(payload);
  const input = asFields(tool_input);
  if (tool === "MultiEdit" && Array.isArray(input.edits))
    return input.edits.flatMap((edit) => toChange(asFields(edit)));
  if (tool === "Write") {
    const { originalFile, type } = asFields(tool_response);
    const before = typeof originalFile === "string" ? originalFile : type === "create" ? "" : null;
    return typeof input.content === "string" ? [{ before, after: input.content }] : [];
  }
  if (tool === "NotebookEdit")
    return typeof input.new_source === "string" ? [{ before: null, after: input.new_source }] : [];
  return toChange(input);
}

function toChange({ old_string, new_string }: Fields): Change[] {
  if (typeof new_string !== "string") return [];
  return [{ before: typeof old_string === "string" ? old_string : null, after: new_string }];
}

/** A notebook's lines stand in it as JSON strings. */
export function readNotebookLine(line: string): string {
  const quoted = line.trim().replace(/,$/, "");
  try {
    const text: unknown = parseJson(quoted);
    return typeof text === "string" ? text : line;
  } catch {
    return line; // Not a line of a cell.
  }
}

function asFields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
