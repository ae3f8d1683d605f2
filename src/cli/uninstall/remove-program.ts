import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAnswering, readDaemonFile } from "../../client/discover.ts";
import { stopDaemon } from "../../client/start.ts";
import type { Home } from "../../config/home.ts";
import { toAppError } from "../../shared/errors.ts";
import type { CliContext } from "../command.ts";
import { removeHome } from "./remove-home.ts";

/** The outcome of an uninstall, as lines for the user. */
export interface UninstallReport {
  removed: string[];
  stays: string[];
  failed: string[];
}

interface ProgramRemoval {
  /** Running sessions: their hooks still use the program's files. */
  pids: number[];
  data: boolean;
  dryRun: boolean;
}

/** Stops the daemon and removes the program and, with `data`, everything stored. */
export async function removeProgram(
  context: CliContext,
  { pids, data, dryRun }: ProgramRemoval,
  report: UninstallReport,
): Promise<void> {
  const { home } = context;
  if (!(await endDaemon(context, dryRun, report))) return;
  const isInUse = pids.length > 0;
  if (isInUse) report.stays.push(describeUse(home.app, pids));
  else if (existsSync(home.app)) {
    report.removed.push(`the program in ${home.app}`);
    if (!dryRun) rmSync(home.app, { recursive: true, force: true });
  }
  if (!existsSync(home.root)) return;
  const hasData = containsData(home);
  if (!data) {
    if (hasData) report.stays.push(`your data in ${home.root} (to delete it: rookery uninstall --data)`);
    return;
  }
  if (hasData) report.removed.push(`your data in ${home.root}`);
  const others = dryRun ? [] : removeHome(home, { keepsProgram: isInUse });
  if (others.length > 0)
    report.stays.push(`files in ${home.root} that are not Rookery's: ${others.join(", ")}`);
}

/** Whether the home has more than the program and its runtime files. */
function containsData({ root, app, run }: Home): boolean {
  return readdirSync(root).some((name) => ![app, run].includes(join(root, name)));
}

/** Whether the daemon has ended: nothing is removed while it runs. */
async function endDaemon(
  { home, address, startOptions }: CliContext,
  dryRun: boolean,
  report: UninstallReport,
): Promise<boolean> {
  const daemon = (await isAnswering(address)) ? readDaemonFile(home.daemonFile) : undefined;
  try {
    if (!dryRun && existsSync(home.run)) writeFileSync(home.stoppedByUser, "", { mode: 0o600 });
    if (!dryRun) await stopDaemon(startOptions, "stop");
    if (daemon) report.removed.push(`the daemon (process ${daemon.pid})`);
    return true;
  } catch (thrown) {
    report.failed.push(`the daemon, and therefore the program and the data: ${toAppError(thrown).message}`);
    return false;
  }
}

function describeUse(app: string, pids: number[]): string {
  const sessions = pids.length === 1 ? "1 running session" : `${pids.length} running sessions`;
  return (
    `${app}, for ${sessions} (process ${pids.join(", ")}): their hooks do nothing now; ` +
    "to remove it, run rookery uninstall again after they have ended"
  );
}
