import { relative } from "node:path";
import { callDaemon } from "../../client/request.ts";
import type { FoldersReport } from "../../protocol/care.ts";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command } from "../command.ts";

const actions = ["on", "off", "sync", "clean"];
const mostMs = 5 * 60_000;

export const folders: Command = {
  summary: "Keep what was noted about a folder's files in its CLAUDE.md, in this project.",
  usage: "on|off|sync|clean [--dry-run]",
  examples: ["rookery folders on --dry-run", "rookery folders on", "rookery folders clean"],
  options: { "dry-run": { type: "boolean" } },
  optionHelp: { "dry-run": "say what would be written, and write nothing" },
  words: { min: 1, max: 1 },
  async run(context, { flags, words }) {
    const [action = ""] = words;
    if (!actions.includes(action))
      throw new AppError("invalid_argument", `rookery folders ${action}: on, off, sync or clean.`);
    const report = await callDaemon<FoldersReport>(context.address, {
      ...{ method: "POST", path: "/api/folders", timeoutMs: mostMs },
      body: { action, folder: context.cwd, dryRun: flags["dry-run"] === true },
    });
    context.print(context.isJson ? JSON.stringify(report, null, 2) : formatReport(context, report));
    return 0;
  },
};

function formatReport({ cwd }: CliContext, report: FoldersReport): string {
  const { project, isOn, dryRun, changes, unchanged } = report;
  const done = changes.map(
    ({ file, did, reason }) => `  ${did}: ${relative(cwd, file)}${reason ? ` (${reason})` : ""}`,
  );
  const state = `Folder context is ${isOn ? "on" : "off"} for ${project}.`;
  const what =
    changes.length === 0 ? "Nothing to change." : dryRun ? "Would change, writing nothing now:" : "Changed:";
  return [state, what, ...done, ...(unchanged > 0 ? [`  ${unchanged} unchanged`] : [])].join("\n");
}
