import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isProcessAlive } from "../../shared/processes.ts";
import { type Check, ok, problem, type CheckResult, skipped, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";
import { endProcess, homeOf, listProcesses, type ProcessFacts, runsScript } from "./processes.ts";

export const processChecks: readonly Check[] = [
  { check: "Other daemons", run: checkDaemons },
  { check: "Orphans", run: checkOrphans },
];

/** A daemon that lost the race for the lock exits after three seconds. */
const racingMs = 10_000;
/** Our shells check every three seconds whether their claude is alive. */
const goneWithinMs = 4_500;
const shutdownMs = 2_000;

const unseen = "can only be checked on Linux";

/**
 * The lock allows one daemon per home. A home that was deleted and recreated has a new lock, and the old daemon still
 * takes events from the spool, into a deleted database.
 */
async function checkDaemons({ context, status, daemons }: DoctorFacts): Promise<CheckResult> {
  if (process.platform !== "linux") return skipped(unseen);
  const answering = (await status())?.pid;
  const strays = daemons().filter(
    (each) => each.pid !== answering && (each.ageMs > racingMs || isOfRecreatedHome(each, context.home.root)),
  );
  if (answering === undefined || strays.length === 0) return ok("none");
  const pids = strays.map(({ pid }) => pid).join(", ");
  return problem(
    `process ${pids} is another daemon of this home and takes events meant for process ${answering}`,
    `kill -9 ${strays.map(({ pid }) => pid).join(" ")}`,
    async () => {
      // SIGKILL: a clean shutdown would remove the files of the current daemon.
      for (const stray of strays) await endProcess(stray, 0);
      return `ended process ${pids}`;
    },
  );
}

/** A daemon's working directory is its home; another inode means that the home was recreated. */
function isOfRecreatedHome({ pid }: ProcessFacts, root: string): boolean {
  const [there, here] = [`/proc/${pid}/cwd`, root].map((path) => statSync(path, { throwIfNoEntry: false }));
  return there?.ino !== here?.ino || there?.dev !== here?.dev;
}

/** Processes that outlived their session. */
async function checkOrphans({ context, processes }: DoctorFacts): Promise<CheckResult> {
  if (process.platform !== "linux") return skipped(unseen);
  const isOrphan = (each: ProcessFacts, all: readonly ProcessFacts[]): boolean =>
    homeOf(each) === context.home.root && hasLostItsSession(each, all);
  let orphans = processes().filter((each) => isOrphan(each, processes()));
  const isGoing = (): boolean => orphans.some(({ state }) => state !== "T"); // A stopped process cannot exit.
  for (
    const until = performance.now() + goneWithinMs;
    isGoing() && performance.now() < until;
    await delay(250)
  ) {
    const now = listProcesses();
    orphans = now.filter((each) => isOrphan(each, now));
  }
  if (orphans.length === 0) return ok("none");
  const pids = orphans.map(({ pid }) => pid);
  return warning(
    `process ${pids.join(", ")} left over from ${orphans.length === 1 ? "an ended session" : "ended sessions"}`,
    `kill ${pids.join(" ")}`,
    async () => {
      for (const orphan of orphans) await endProcess(orphan, shutdownMs);
      return `ended process ${pids.join(", ")}`;
    },
  );
}

/** Shells have their claude's pid in the environment; the MCP server is its child and has a session id. */
function hasLostItsSession(each: ProcessFacts, all: readonly ProcessFacts[]): boolean {
  const { CLAUDE_PID, CLAUDE_CODE_SESSION_ID } = each.environment;
  if (runsScript(each, "monitors/wake.sh") || runsScript(each, "hooks/hook.sh"))
    return CLAUDE_PID !== undefined && !isProcessAlive(Number(CLAUDE_PID));
  const isMcp = runsScript(each, "dist/mcp.js") || runsScript(each, "mcp/greet.sh");
  if (!isMcp || CLAUDE_CODE_SESSION_ID === undefined) return false;
  const parent = all.find(({ pid }) => pid === each.parentPid);
  return each.parentPid === 1 || parent?.name === "systemd";
}
