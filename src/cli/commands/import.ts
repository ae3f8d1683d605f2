import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { ImportRequest } from "../../protocol/import.ts";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command, CommandInput } from "../command.ts";
import { locateClaudeFolder } from "../plugin-install.ts";
import { readChoice, readDay, readProject } from "../read-flag.ts";
import { runImport } from "../run-import.ts";
import { startInstalledDaemon } from "../start-daemon.ts";

export const importCommand: Command = {
  summary: "Import transcripts of coding agents, a claude-mem database, or an export.",
  usage: "transcripts|claude-mem|jsonl [PATH] [--project NAME] [--since DAY] [--dry-run]",
  examples: [
    "rookery import transcripts --dry-run",
    "rookery import transcripts --project api --since 2026-10-01",
    "rookery import claude-mem",
    "rookery import jsonl memory.jsonl",
  ],
  options: { project: { type: "string" }, since: { type: "string" }, "dry-run": { type: "boolean" } },
  optionHelp: {
    project: "only this project: name or folder",
    since: "only sessions that ended on this day or later: 2026-10-01, yesterday, 7d",
    "dry-run": "show what would be imported, without storing it",
  },
  actions: {
    transcripts: "those of Claude Code, or of the coding agent whose folder is PATH",
    "claude-mem": "its database; PATH if it is not ~/.claude-mem/claude-mem.db",
    jsonl: "the file PATH that `rookery export` wrote",
  },
  words: { min: 1, max: 2 },
  async run(context, input) {
    const body = makeRequest(context, input);
    await startInstalledDaemon(context);
    return runImport(context, body);
  },
};

function makeRequest(context: CliContext, { flags, words }: CommandInput): ImportRequest {
  const [word, given] = words;
  const source = readChoice("the source", word, ["transcripts", "claude-mem", "jsonl"]) ?? "transcripts";
  const project = readProject(context.cwd, flags.project);
  if (source === "jsonl" && given === undefined)
    throw new AppError("invalid_argument", "Missing FILE. Usage: rookery import jsonl FILE");
  const from = readDay("--since", flags.since) ?? 0;
  const home = context.environment.HOME ?? "";
  const usual =
    source === "transcripts" ? locateClaudeFolder(context) : join(home, ".claude-mem", "claude-mem.db");
  const path = given === undefined ? usual : resolve(context.cwd, given);
  if (!existsSync(path))
    throw new AppError(
      "import_not_found",
      given === undefined ? `Nothing to import: there is no ${path}.` : `There is no ${path}.`,
    );
  return {
    source,
    path,
    since: from,
    dryRun: flags["dry-run"] === true,
    ...(project ? { project } : {}),
  };
}
