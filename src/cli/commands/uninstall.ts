import { existsSync, rmSync, writeFileSync } from "node:fs";
import { stopDaemon } from "../../client/start.ts";
import { isAnswering, readDaemonFile } from "../../client/discover.ts";
import { callDaemon } from "../../client/request.ts";
import { removeStatusLine } from "../../install/statusline.ts";
import { unregister } from "../../install/unregister.ts";
import { AppError, toAppError } from "../../shared/errors.ts";
import type { CliContext, Command, CommandInput } from "../command.ts";
import { askWhatRuns, type Running } from "../leaving/ask-what-runs.ts";
import { removeHome } from "../leaving/remove-home.ts";
import { describeInstall, describeWhereabouts } from "../plugin-install.ts";
import { describeStatusLine } from "./statusline.ts";

export const uninstall: Command = {
  summary: "Take Rookery out of Claude Code and stop the daemon; your data stays unless you say --data.",
  usage: "[--data] [--folders] [--dry-run] [--yes]",
  examples: ["rookery uninstall --dry-run", "rookery uninstall", "rookery uninstall --data"],
  options: {
    data: { type: "boolean" },
    folders: { type: "boolean" },
    "dry-run": { type: "boolean" },
    yes: { type: "boolean" },
  },
  optionHelp: {
    data: "delete everything Rookery stored, for good",
    folders: "take its sections out of the CLAUDE.md files of your projects, too",
    "dry-run": "say what would go, and remove nothing",
    yes: "ask nothing",
  },
  async run(context, { flags }) {
    const dryRun = flags["dry-run"] === true;
    const daemon = (await isAnswering(context.address)) ? readDaemonFile(context.home.daemonFile) : undefined;
    const running = await askWhatRuns(context, dryRun);
    const wanted = dryRun
      ? { data: flags.data === true, folders: false }
      : await confirm(context, flags, running);
    const report: Report = {
      removed: daemon ? [`the daemon (process ${daemon.pid})`] : [],
      stays: [],
      failed: [],
    };
    if (!dryRun) muteHooks(context, running.pids);
    await removeSections(context, report, running, wanted.folders, dryRun);
    const outcome = await removeRegistration(context, report, dryRun);
    await removeProgram(context, report, running.pids, { data: wanted.data, dryRun });
    const data = wanted.data ? "deleted" : "kept";
    context.print(
      context.isJson ? JSON.stringify({ outcome, data, dryRun, ...report }) : format(report, dryRun),
    );
    return report.failed.length > 0 ? 6 : 0;
  },
};

interface Report {
  removed: string[];
  stays: string[];
  failed: string[];
}

/** Where somebody sits at the terminal, nothing goes for good unasked. */
async function confirm(
  { ask, home }: CliContext,
  { data, folders, yes }: CommandInput["flags"],
  { sections }: Running,
): Promise<{ data: boolean; folders: boolean }> {
  if (data && ask && !yes && (await ask(`Delete everything in ${home.root}, for good? Type yes: `)) !== "yes")
    throw new AppError("confirmation_needed", "Nothing was removed.");
  const count = sections.flatMap(({ files }) => files).length;
  const isOffered = count > 0 && ask !== undefined && !folders && !yes;
  const isAgreed =
    isOffered &&
    /^(y|yes)?$/i.test(await ask(`Take Rookery's sections out of ${count} CLAUDE.md files? [Y/n] `));
  return { data: data === true, folders: folders === true || yes === true || isAgreed };
}

/** Sessions that run now keep their hooks until they end; from here on those do nothing. */
function muteHooks({ home }: CliContext, pids: number[]): void {
  if (existsSync(home.run) && pids.length > 0)
    writeFileSync(home.left, `${pids.join(" ")}\n`, { mode: 0o600 });
}

async function removeSections(
  { address }: CliContext,
  report: Report,
  { sections }: Running,
  isWanted: boolean,
  dryRun: boolean,
): Promise<void> {
  for (const { project, root, files } of sections) {
    const what = `sections in ${files.length} CLAUDE.md files of ${project} (${root})`;
    if (!isWanted) {
      report.stays.push(`${what}: rookery folders clean there, or rookery uninstall --folders`);
      continue;
    }
    try {
      const body = { action: "clean", folder: root, dryRun };
      await callDaemon(address, { method: "POST", path: "/api/folders", body, timeoutMs: 60_000 });
      report.removed.push(what);
    } catch (thrown) {
      report.failed.push(`${what}: ${toAppError(thrown).message}`);
    }
  }
}

async function removeRegistration(
  context: CliContext,
  report: Report,
  dryRun: boolean,
): Promise<"removed" | "absent"> {
  const plugin = describeInstall(context);
  try {
    const { changes, file } = removeStatusLine(describeStatusLine(context), dryRun);
    if (changes.length > 0) report.removed.push(`the status line in ${file}`);
  } catch (thrown) {
    report.failed.push(toAppError(thrown).message);
  }
  const { hadPlugin, edited, failures } = await unregister(describeWhereabouts(context), plugin, dryRun);
  if (hadPlugin) report.removed.push(`the plugin in ${plugin?.claude ?? "Claude Code"}`);
  for (const { file, changes } of edited) report.removed.push(`${changes.length} entries in ${file}`);
  report.failed.push(...failures);
  return hadPlugin || edited.length > 0 ? "removed" : "absent";
}

async function removeProgram(
  { home, startOptions }: CliContext,
  report: Report,
  pids: number[],
  { data, dryRun }: { data: boolean; dryRun: boolean },
): Promise<void> {
  if (!dryRun && existsSync(home.run)) writeFileSync(home.stopped, "", { mode: 0o600 });
  try {
    if (!dryRun) await stopDaemon(startOptions, "stop");
  } catch (thrown) {
    // Nothing is pulled out from under it.
    report.failed.push(`the daemon, and so neither program nor data: ${toAppError(thrown).message}`);
    return;
  }
  const isInUse = pids.length > 0;
  if (isInUse)
    report.stays.push(
      `${home.app}, for ${pids.length} running session${pids.length === 1 ? "" : "s"} (process ${pids.join(", ")}): their hooks do nothing any more; it goes with the next rookery uninstall once they are over`,
    );
  if (!isInUse && existsSync(home.app)) {
    report.removed.push(`the program in ${home.app}`);
    if (!dryRun) rmSync(home.app, { recursive: true, force: true });
  }
  if (!data) {
    if (existsSync(home.root))
      report.stays.push(`your data in ${home.root} (delete it: rookery uninstall --data)`);
    return;
  }
  if (existsSync(home.root)) report.removed.push(`your data in ${home.root}`);
  const others = dryRun ? [] : removeHome(home, { keepsProgram: isInUse });
  if (others.length > 0) report.stays.push(`what is not Rookery's in ${home.root}: ${others.join(", ")}`);
}

function format({ removed, stays, failed }: Report, dryRun: boolean): string {
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
