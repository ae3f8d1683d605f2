import type { BlameMatch } from "../../protocol/blame.ts";
import { parseJson } from "../../shared/json.ts";
import type { Change } from "../capture/payload-rules.ts";

export interface WantedLine {
  text: string;
  before?: string | undefined;
  after?: string | undefined;
}

/** Whether an edit introduced this line or kept it. Ignores white space. */
export function judgeEdit(
  changes: readonly Change[],
  wanted: WantedLine,
): Extract<BlameMatch, "added" | "kept"> | undefined {
  const patterns = makePatterns(wanted);
  const verdicts = changes.map(({ before, after }) => {
    if (!containsLines(after, patterns)) return undefined;
    return before !== null && containsLines(before, patterns) ? "kept" : "added";
  });
  return verdicts.includes("added") ? "added" : verdicts.find((verdict) => verdict !== undefined);
}

/** A trivial line (`}`, `end`) is identified by its neighbours. */
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

function containsLines(text: string, patterns: string[][]): boolean {
  const lines = text.split("\n").map(squeeze).filter(Boolean);
  return lines.some((_, at) =>
    patterns.some((pattern) => pattern.every((line, offset) => isSameLine(lines[at + offset], line))),
  );
}

/** Only the beginning of a very long line is compared. */
function isSameLine(line: string | undefined, wanted: string): boolean {
  return line === wanted || (wanted.length >= 100 && line?.startsWith(wanted) === true);
}

function squeeze(line: string): string {
  return line.replace(/\s+/g, "");
}

/** Lines of a notebook are stored as JSON strings. */
export function readNotebookLine(line: string): string {
  const quoted = line.trim().replace(/,$/, "");
  try {
    const text: unknown = parseJson(quoted);
    return typeof text === "string" ? text : line;
  } catch {
    return line; // Not a line of a cell.
  }
}

/** The lines of an edit, for quick comparison with every line of a file. */
interface IndexedEdit {
  after: ReadonlySet<string>;
  /** Null if the replaced text is unknown. */
  before: ReadonlySet<string> | null;
}

export function indexEdit(changes: readonly Change[]): IndexedEdit[] {
  return changes.map(({ before, after }) => ({
    after: indexText(after),
    before: before === null ? null : indexText(before),
  }));
}

/** Lines, and pairs of lines that follow each other. */
function indexText(text: string): Set<string> {
  const lines = text.split("\n").map(squeeze).filter(Boolean);
  return new Set(lines.flatMap((line, at) => [line, joinLines([line, lines[at + 1] ?? ""])]));
}

function joinLines(lines: readonly string[]): string {
  return lines.join("\n");
}

/** The keys by which a whole line of a file is found in an indexed edit; none for an empty line. */
export function listLineKeys(lines: readonly string[], at: number): string[] {
  const isFull = (line: string): boolean => line.trim() !== "";
  const before = lines.slice(Math.max(0, at - maxGap), at).findLast(isFull);
  const after = lines.slice(at + 1, at + 1 + maxGap).find(isFull);
  return makePatterns({ text: lines[at] ?? "", before, after }).map(joinLines);
}

/** Empty lines between a line and its neighbour. */
const maxGap = 20;

/** Like `judgeEdit`, for an indexed edit and the keys of a line. */
export function judgeIndexed(
  edit: readonly IndexedEdit[],
  keys: readonly string[],
): ReturnType<typeof judgeEdit> {
  const verdicts = edit
    .filter(({ after }) => keys.some((key) => after.has(key)))
    .map(({ before }) => (before !== null && keys.some((key) => before.has(key)) ? "kept" : "added"));
  return verdicts.includes("added") ? "added" : verdicts[0];
}
