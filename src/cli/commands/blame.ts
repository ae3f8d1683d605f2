import { readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { callEndpoint } from "../../client/request.ts";
import { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import type { BlameMatch, BlameView } from "../../protocol/blame.ts";
import { AppError } from "../../shared/errors.ts";
import { takeStart, toOneLine } from "../../shared/text.ts";
import type { CliContext, Command } from "../command.ts";
import { wrapLines, formatCount, formatMinute } from "../format.ts";

export const blame: Command = {
  summary: "Show the turn and the reason behind a line.",
  usage: "FILE:LINE",
  examples: ["rookery blame src/pool.ts:42"],
  words: { min: 1, max: 1 },
  async run(context, { words }) {
    const place = readPlace(context.cwd, words[0] ?? "");
    const { line, text, file, before, after } = place;
    const query = { project: dirname(file), file, text, before, after };
    const view = await callEndpoint(context.address, memoryEndpoints.blameLine, { query });
    if (context.isJson) context.print(JSON.stringify({ line, text, ...view }, null, 2));
    else context.print(formatBlame(context, place, view));
    return 0;
  },
};

interface Place {
  file: string;
  line: number;
  text: string;
  before: string;
  after: string;
}

/** `FILE:LINE`, and `FILE:LINE:COLUMN` as compilers print it. */
function readPlace(cwd: string, word: string): Place {
  const [, name, number] = /^(.+?):(\d+)(?::\d+)?$/.exec(word) ?? [];
  if (!name || !number)
    throw new AppError(
      "invalid_argument",
      `${word} has no line number. Use FILE:LINE, such as src/pool.ts:42.`,
    );
  const file = resolve(cwd, name);
  const lines = readLines(file, name);
  const line = Number(number);
  const text = lines[line - 1];
  if (text === undefined)
    throw new AppError(
      "line_not_found",
      `${name} has ${formatCount(lines.length, "line")}; there is no line ${line}.`,
    );
  const isNotBlank = (other: string): boolean => other.trim() !== "";
  const before = lines.slice(0, line - 1).findLast(isNotBlank) ?? "";
  const after = lines.slice(line).find(isNotBlank) ?? "";
  // A request's URL is limited to 16 KB; the start of a very long line is enough.
  return {
    file,
    line,
    text: takeStart(text, 660),
    before: takeStart(before, 160),
    after: takeStart(after, 160),
  };
}

function readLines(file: string, name: string): string[] {
  try {
    const lines = readFileSync(file, "utf8").split(/\r?\n/);
    return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const said = code === "ENOENT" ? `There is no file ${name}.` : `Cannot read ${name}: ${message}.`;
    throw new AppError("file_not_found", said, { cause });
  }
}

const guesses: Record<BlameMatch, string> = {
  added: "",
  kept: "Not sure: no recorded edit wrote this line. The latest edit that kept it:",
  file: "Not sure: no recorded edit has this line. The latest edit of the file:",
  note: "Not sure: no edit of this file was recorded. The latest note about a change to it:",
};

function formatBlame({ cwd, columns }: CliContext, { file, line, text }: Place, view: BlameView): string {
  const width = Math.min(columns, 100);
  const fill = (words: string, indent: string): string => wrapLines(toOneLine(words), width, indent, indent);
  const who = `${view.agent || view.project}${view.bySubagent ? " (a subagent)" : ""}`;
  const lines = [`${relative(cwd, file) || file}:${line}  ${text.trim()}`, ""];
  if (view.isGuess) lines.push(guesses[view.match], "");
  lines.push(`${view.tool ?? "Changed"} by ${who}, ${formatMinute(view.at)}, session ${view.session}`);
  if (view.prompt) lines.push("", "Asked:", fill(view.prompt, "  "));
  for (const { id, type, title, text: reason } of view.notes) {
    const isSame = reason.includes(title.replace(/…$/, ""));
    lines.push("", `${type} ${id.slice(-8)}:`, ...(isSame ? [] : [fill(title, "  ")]), fill(reason, "  "));
  }
  if (view.notes.length === 0)
    lines.push("", "Done:", fill(view.summary?.completed || "No summary of this turn yet.", "  "));
  if (view.summary?.nextSteps) lines.push("", "Left open:", fill(view.summary.nextSteps, "  "));
  return lines.join("\n");
}
