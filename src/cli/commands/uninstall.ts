import { existsSync, rmSync, writeFileSync } from "node:fs";
import { findCommandLinks } from "../../install/command-link.ts";
import { findHosts } from "../../install/find-hosts.ts";
import { isInHost, uninstallHost } from "../../install/install-host.ts";
import { removeStatusLine } from "../../install/statusline.ts";
import { unregister } from "../../install/unregister.ts";
import { AppError, toAppError } from "../../shared/errors.ts";
import type { CliContext, Command, CommandInput } from "../command.ts";
import {
  makeLinkOptions,
  makePluginInstall,
  makeHostSource,
  findInstallLocations,
} from "../plugin-install.ts";
import { findRunningSessions, type RunningSessions } from "../uninstall/find-running-sessions.ts";
import { removeProgram, type UninstallReport } from "../uninstall/remove-program.ts";
import { describeStatusLine } from "./statusline.ts";

export const uninstall: Command = {
  summary:
    "Remove Rookery from all coding agents and stop the daemon. Your data is kept unless you add --data.",
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
    const running = await findRunningSessions(context);
    const isWanted = await confirmSections(context, flags, running);
    const report: UninstallReport = { removed: [], stays: [], failed: [] };
    if (!dryRun) muteHooks(context, running.pids);
    await removeSections(running, { isWanted, dryRun }, report);
    const outcome = await removeRegistration(context, dryRun, report);
    removeLinks(context, dryRun, report);
    await removeProgram(context, { pids: running.pids, data, dryRun }, report);
    context.print(
      context.isJson
        ? JSON.stringify({ outcome, data: data ? "deleted" : "kept", dryRun, ...report })
        : formatReport(report, dryRun),
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

async function confirmSections(
  { ask }: CliContext,
  flags: Flags,
  { sections }: RunningSessions,
): Promise<boolean> {
  if (flags.folders || flags.yes) return true;
  const count = sections.flatMap(({ files }) => files).length;
  if (count === 0 || !ask || flags["dry-run"]) return false;
  return /^(y|yes)?$/i.test(await ask(`Remove Rookery's sections from ${count} CLAUDE.md files? [Y/n] `));
}

function removeLinks(context: CliContext, dryRun: boolean, report: UninstallReport): void {
  for (const link of findCommandLinks(makeLinkOptions(context))) {
    report.removed.push(`the command ${link}`);
    if (!dryRun) rmSync(link, { force: true });
  }
}

/** Hooks of running sessions stay registered until they end; this file makes them do nothing. */
function muteHooks({ home }: CliContext, pids: number[]): void {
  if (existsSync(home.run) && pids.length > 0)
    writeFileSync(home.orphanedSessions, `${pids.join(" ")}\n`, { mode: 0o600 });
}

/** Removes our sections from the CLAUDE.md files of projects, or lists them if they are to stay. */
async function removeSections(
  { sections, removeSections }: RunningSessions,
  { isWanted, dryRun }: { isWanted: boolean; dryRun: boolean },
  report: UninstallReport,
): Promise<void> {
  for (const { project, root, files } of sections) {
    const what = `sections in ${files.length} CLAUDE.md files of ${project} (${root})`;
    if (!isWanted) {
      report.stays.push(`${what}: rookery folders clean there, or rookery uninstall --folders`);
      continue;
    }
    try {
      const { changes } = dryRun ? { changes: [] } : await removeSections(root);
      report.removed.push(what);
      for (const { file, did, reason } of changes)
        if (did === "left alone") report.stays.push(`the section in ${file}: ${reason ?? "left alone"}`);
    } catch (thrown) {
      report.failed.push(`${what}: ${toAppError(thrown).message}`);
    }
  }
}

/** Removes status line, plugin and settings from Claude Code. */
async function removeRegistration(
  context: CliContext,
  dryRun: boolean,
  report: UninstallReport,
): Promise<"removed" | "absent"> {
  try {
    const { changes, file } = removeStatusLine(describeStatusLine(context), dryRun);
    if (changes.length > 0) report.removed.push(`the status line in ${file}`);
  } catch (thrown) {
    report.failed.push(toAppError(thrown).message);
  }
  const plugin = makePluginInstall(context);
  const { hadPlugin, edited, failures } = await unregister(findInstallLocations(context), plugin, dryRun);
  if (hadPlugin) report.removed.push(`the plugin in ${plugin?.claude ?? "Claude Code"}`);
  for (const { file, changes } of edited)
    report.removed.push(`${changes.length === 1 ? "1 entry" : `${changes.length} entries`} in ${file}`);
  report.failed.push(...failures);
  const hadHosts = await removeFromHosts(context, dryRun, report);
  return hadPlugin || edited.length > 0 || hadHosts ? "removed" : "absent";
}

/** Removes Rookery from every other host that has it. */
async function removeFromHosts(
  context: CliContext,
  dryRun: boolean,
  { removed, failed }: UninstallReport,
): Promise<boolean> {
  const source = makeHostSource(context);
  const found = await Promise.all(
    findHosts(context.environment).map(async (place) => {
      const { label } = place.host.marks;
      try {
        const isThere = dryRun ? await isInHost(place, source) : await uninstallHost(place, source);
        if (isThere) removed.push(`Rookery in ${label} (${place.folder})`);
        return isThere;
      } catch (thrown) {
        failed.push(`${label}: ${toAppError(thrown).message}`);
        return false;
      }
    }),
  );
  return found.includes(true);
}

function formatReport({ removed, stays, failed }: UninstallReport, dryRun: boolean): string {
  const part = (title: string, lines: string[]): string[] =>
    lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`)] : [];
  return [
    ...(removed.length > 0
      ? part(dryRun ? "Would remove:" : "Removed:", removed)
      : ["Rookery was not installed here."]),
    ...part("Stays:", stays),
    ...part("Could not be removed:", failed),
  ].join("\n");
}
