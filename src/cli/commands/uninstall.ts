import { existsSync, writeFileSync } from "node:fs";
import { AppError } from "../../shared/errors.ts";
import type { CliContext, Command, CommandInput } from "../command.ts";
import { findRunning, type Running } from "../leaving/find-running.ts";
import { removeProgram } from "../leaving/remove-program.ts";
import { removeRegistration } from "../leaving/remove-registration.ts";
import { removeSections } from "../leaving/remove-sections.ts";
import { formatLeaving, type LeavingReport } from "../leaving/report.ts";

export const uninstall: Command = {
  summary: "Remove Rookery from Claude Code and stop the daemon; your data is kept, except with --data.",
  usage: "[--data] [--folders] [--dry-run] [--yes]",
  examples: ["rookery uninstall --dry-run", "rookery uninstall", "rookery uninstall --data"],
  options: {
    data: { type: "boolean" },
    folders: { type: "boolean" },
    "dry-run": { type: "boolean" },
    yes: { type: "boolean" },
  },
  optionHelp: {
    data: "permanently delete everything that Rookery stored",
    folders: "also remove its sections from the CLAUDE.md files of your projects",
    "dry-run": "show what would be removed, without removing it",
    yes: "do not ask for confirmation",
  },
  async run(context, { flags }) {
    const dryRun = flags["dry-run"] === true;
    const data = flags.data === true;
    if (data && !dryRun) await confirmData(context, flags);
    const running = await findRunning(context);
    const isWanted = await confirmSections(context, flags, running);
    const report: LeavingReport = { removed: [], stays: [], failed: [] };
    if (!dryRun) muteHooks(context, running.pids);
    await removeSections(running, { isWanted, dryRun }, report);
    const outcome = await removeRegistration(context, dryRun, report);
    await removeProgram(context, { pids: running.pids, data, dryRun }, report);
    context.print(
      context.isJson
        ? JSON.stringify({ outcome, data: data ? "deleted" : "kept", dryRun, ...report })
        : formatLeaving(report, dryRun),
    );
    return report.failed.length > 0 ? 6 : 0;
  },
};

type Flags = CommandInput["flags"];

/** On a terminal, data is only deleted after confirmation. */
async function confirmData({ ask, home }: CliContext, { yes }: Flags): Promise<void> {
  if (!ask || yes) return;
  if ((await ask(`Permanently delete everything in ${home.root}? Type yes: `)) !== "yes")
    throw new AppError("confirmation_needed", "Nothing was removed.");
}

async function confirmSections({ ask }: CliContext, flags: Flags, { sections }: Running): Promise<boolean> {
  if (flags.folders || flags.yes) return true;
  const count = sections.flatMap(({ files }) => files).length;
  if (count === 0 || !ask || flags["dry-run"]) return false;
  return /^(y|yes)?$/i.test(await ask(`Remove Rookery's sections from ${count} CLAUDE.md files? [Y/n] `));
}

/** Hooks of running sessions stay registered until they end; this file makes them do nothing. */
function muteHooks({ home }: CliContext, pids: number[]): void {
  if (existsSync(home.run) && pids.length > 0)
    writeFileSync(home.left, `${pids.join(" ")}\n`, { mode: 0o600 });
}
