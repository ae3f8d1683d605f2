import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { callDaemon } from "../../client/request.ts";
import type { ImportState, ImportView } from "../../protocol/import.ts";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command, CommandInput } from "../command.ts";
import { formatImport, formatProgress } from "../import-report.ts";
import { locateClaudeFolder } from "../plugin-install.ts";
import { startDaemon } from "./start.ts";

const pollMs = 200;
const interrupted = 130;

export const importCommand: Command = {
  summary: "Bring in what was there before: Claude Code's transcripts, a claude-mem database, an export.",
  usage: "transcripts|claude-mem|jsonl [PATH] [--project NAME] [--since DATE] [--dry-run]",
  examples: [
    "rookery import transcripts --dry-run",
    "rookery import transcripts --project api --since 2026-10-01",
    "rookery import claude-mem",
    "rookery import jsonl memory.jsonl",
  ],
  options: { project: { type: "string" }, since: { type: "string" }, "dry-run": { type: "boolean" } },
  optionHelp: {
    project: "only this one: name or folder",
    since: "only what ended on this date or later",
    "dry-run": "say what would be read, and store nothing",
  },
  words: { min: 1, max: 2 },
  async run(context, input) {
    const body = makeRequest(context, input);
    await startDaemon(context);
    await callDaemon<ImportState>(context.address, { method: "POST", path: "/api/import", body });
    const state = await follow(context);
    context.print(context.isJson ? JSON.stringify(state, null, 2) : formatImport(state));
    if (state.state === "failed") return 6;
    return state.state === "cancelled" ? interrupted : 0;
  },
};

function makeRequest(context: CliContext, { flags, words }: CommandInput): Record<string, unknown> {
  const [source, given] = words;
  const { project, since } = flags;
  if (source !== "transcripts" && source !== "claude-mem" && source !== "jsonl")
    throw new AppError(
      "invalid_argument",
      `There is no import of ${source}: transcripts, claude-mem or jsonl.`,
    );
  if (source === "jsonl" && given === undefined)
    throw new AppError("invalid_argument", "Name the file: rookery import jsonl FILE");
  const from = typeof since === "string" ? Date.parse(since) : 0;
  if (Number.isNaN(from)) throw new AppError("invalid_argument", `--since ${since} is not a date.`);
  const home = context.environment.HOME ?? "";
  const usual =
    source === "transcripts" ? locateClaudeFolder(context) : join(home, ".claude-mem", "claude-mem.db");
  return {
    ...{ source, path: given === undefined ? usual : resolve(context.cwd, given) },
    ...{ since: from, dryRun: flags["dry-run"] === true, ...(project ? { project } : {}) },
  };
}

/** Waits for the end. Ctrl-C ends the import, not only the waiting: it can be taken up again later. */
async function follow(context: CliContext): Promise<ImportView> {
  const cancel = (): void => {
    // It may have ended by itself in this moment; the next look tells.
    callDaemon(context.address, { method: "DELETE", path: "/api/import" }).catch(() => undefined);
  };
  process.once("SIGINT", cancel);
  try {
    for (;;) {
      const state = await callDaemon<ImportView>(context.address, { path: "/api/import" });
      if (state.state !== "running") return state;
      if (context.isTerminal && !context.isJson) context.draw(formatProgress(state, Date.now()));
      await pause(pollMs);
    }
  } finally {
    process.removeListener("SIGINT", cancel);
    if (context.isTerminal && !context.isJson) context.draw("");
  }
}
