import { relative } from "node:path";
import { callEndpoint } from "../../client/request.ts";
import { careEndpoints } from "../../protocol/endpoints/care.ts";
import type { FoldersReport } from "../../protocol/care.ts";
import type { CliContext, Command } from "../command.ts";
import { showSpinner } from "../progress.ts";
import { readChoice } from "../read-flag.ts";

const maxMs = 5 * 60_000;

export const folders: Command = {
  summary: "Keep notes about a folder's files in its CLAUDE.md, in this project.",
  usage: "on|off|sync|clean [--dry-run]",
  examples: ["rookery folders on --dry-run", "rookery folders on", "rookery folders clean"],
  options: { "dry-run": { type: "boolean" } },
  optionHelp: { "dry-run": "show the changes, without writing them" },
  actions: {
    on: "turn it on, write the sections of this checkout and keep them up to date",
    sync: "write them now",
    off: "turn it off; existing sections stay",
    clean: "remove all sections and turn it off",
  },
  words: { min: 1, max: 1 },
  async run(context, { flags, words }) {
    const action = readChoice("The action", words[0], ["on", "off", "sync", "clean"]) ?? "sync";
    const work = callEndpoint(context.address, careEndpoints.changeFolders, {
      body: { action, folder: context.cwd, dryRun: flags["dry-run"] === true },
      timeoutMs: maxMs,
    });
    const report = await showSpinner(context, "Checking the folders", work);
    context.print(context.isJson ? JSON.stringify(report, null, 2) : formatReport(context, report));
    return 0;
  },
};

function formatReport({ cwd }: CliContext, report: FoldersReport): string {
  const { project, isOn, dryRun, changes, unchanged } = report;
  const done = changes.map(
    ({ file, did, reason }) => `  ${did}: ${relative(cwd, file)}${reason ? ` (${reason})` : ""}`,
  );
  const state = `Folder context ${dryRun ? "would be" : "is"} ${isOn ? "on" : "off"} for ${project}.`;
  const what = changes.length === 0 ? "Nothing to change." : dryRun ? "Would change:" : "Changed:";
  return [state, what, ...done, ...(unchanged > 0 ? [`  ${unchanged} unchanged`] : [])].join("\n");
}
