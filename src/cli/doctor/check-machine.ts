import { formatBytes } from "../../shared/format-bytes.ts";
import { existsSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "../../shared/build.ts";
import { formatDuration, formatMinute, formatCount } from "../format.ts";
import { type Check, ok, problem, type CheckResult, skipped, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";
import { findFileSystem, isRemote } from "./mounts.ts";
import { dayMs } from "../../shared/clock.ts";

export const machineChecks: readonly Check[] = [
  { check: "Disk", run: checkDisk },
  { check: "File system", run: checkFileSystem },
  { check: "Clock", run: checkClock },
];

const lowBytes = 500_000_000;
const minBytes = 20_000_000;
const minFiles = 1_000;
/** File systems round times; a larger difference between the clock and the time of a new file is drift. */
const driftMs = 5_000;

/** The home, or its nearest existing parent: both are on the same disk. */
function nearestFolder({ context }: DoctorFacts): string {
  let folder = context.home.root;
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

function checkDisk(facts: DoctorFacts): CheckResult {
  const { bavail, bsize, ffree, files } = statfsSync(nearestFolder(facts));
  const free = bavail * bsize;
  const fix =
    "Free some space: capture pauses when the disk is full. `rookery compact` shrinks the database.";
  if (free < minBytes) return problem(`only ${formatBytes(free)} free`, fix);
  if (free < lowBytes) return warning(`only ${formatBytes(free)} free`, fix);
  if (files > 0 && ffree < minFiles)
    return warning(
      `only ${formatCount(ffree, "free inode")}`,
      "Delete files that you do not need; df -i shows the usage.",
    );
  return ok(`${formatBytes(free)} free`);
}

function checkFileSystem(facts: DoctorFacts): CheckResult {
  const type = findFileSystem(nearestFolder(facts));
  if (type === undefined) return skipped("cannot be determined on this system");
  if (!isRemote(type)) return ok(type);
  return warning(
    `the home is on ${type}: it may lack the locks and shared memory that SQLite needs, which can damage the database`,
    "Move the home to a local disk: export ROOKERY_HOME=/path/on/a/local/disk",
  );
}

async function checkClock(facts: DoctorFacts): Promise<CheckResult> {
  const { nowMs, context } = facts;
  const fix = "Set the clock; on Linux: timedatectl set-ntp true";
  if (nowMs < build.builtAt - dayMs)
    return problem(`the clock says ${formatMinute(nowMs)}, which is before this build was made`, fix);
  const drift = measureDrift(context.home.run);
  if (Math.abs(drift) > driftMs)
    return warning(
      `files are dated ${formatDuration(Math.abs(drift))} ${drift > 0 ? "ahead of" : "behind"} the clock`,
      "The clock was just changed, or the files are on another machine: synchronise both clocks.",
    );
  const future = (await facts.inspection().catch(() => undefined))?.database?.fromFuture ?? 0;
  if (future > 0)
    return warning(
      `${formatCount(future, "recent event")} dated in the future: the clock was ahead`,
      "If the clock is right now, do nothing: until that time they sort as the newest.",
    );
  return ok(formatMinute(nowMs));
}

function measureDrift(folder: string): number {
  if (!existsSync(folder)) return 0;
  const file = join(folder, `clock.${process.pid}`);
  const before = Date.now();
  try {
    writeFileSync(file, "", { mode: 0o600 });
    return statSync(file).mtimeMs - before;
  } catch {
    return 0; // An unwritable folder is reported by another check.
  } finally {
    rmSync(file, { force: true });
  }
}
