import { statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isProcessAlive } from "../../shared/processes.ts";
import { type Check, ok, problem, type Remark, skipped, warning } from "./finding.ts";
import type { Examination } from "./examination.ts";
import { endProcess, homeOf, listProcesses, type ProcessFacts, runsScript } from "./processes.ts";

export const processChecks: readonly Check[] = [
  { what: "Other daemons", look: checkDaemons },
  { what: "Orphans", look: checkOrphans },
];

/** One that lost the race for the lock waits three seconds for it before it goes. */
const racingMs = 10_000;
/** A shell of ours looks every three seconds whether its claude lives. */
const goneWithinMs = 4_500;
const politeMs = 2_000;

const unseen = "cannot be told on this system";

/**
 * The lock lets one daemon run in a home; but a home that was deleted and made anew has a new lock, and the old daemon
 * goes on taking events from the spool, into a database that is no more.
 */
async function checkDaemons({ context, status, daemons }: Examination): Promise<Remark> {
  if (process.platform !== "linux") return skipped(unseen);
  const answering = (await status())?.pid;
  const strays = daemons().filter(
    (each) => each.pid !== answering && (each.ageMs > racingMs || worksElsewhere(each, context.home.root)),
  );
  if (answering === undefined || strays.length === 0) return ok("none");
  const pids = strays.map(({ pid }) => pid).join(", ");
  return problem(
    `process ${pids} is a daemon of this home, too, and takes events that are for process ${answering}`,
    `kill -9 ${strays.map(({ pid }) => pid).join(" ")}`,
    async () => {
      // Not politely: at its end it would take away the files of the one that has the home now.
      for (const stray of strays) await endProcess(stray, 0);
      return `ended process ${pids}`;
    },
  );
}

/** A daemon stands in its home: one that stands in another folder of that name has lost it. */
function worksElsewhere({ pid }: ProcessFacts, root: string): boolean {
  const [there, here] = [`/proc/${pid}/cwd`, root].map((path) => statSync(path, { throwIfNoEntry: false }));
  return there?.ino !== here?.ino || there?.dev !== here?.dev;
}

/** What belongs to a session must end with it. */
async function checkOrphans({ context, processes }: Examination): Promise<Remark> {
  if (process.platform !== "linux") return skipped(unseen);
  const isOrphan = (each: ProcessFacts, all: readonly ProcessFacts[]): boolean =>
    homeOf(each) === context.home.root && hasLostItsSession(each, all);
  let orphans = processes().filter((each) => isOrphan(each, processes()));
  const isGoing = (): boolean => orphans.some(({ state }) => state !== "T"); // a stopped one goes nowhere
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
    `process ${pids.join(", ")} of ${orphans.length === 1 ? "a session that is" : "sessions that are"} gone`,
    `kill ${pids.join(" ")}`,
    async () => {
      for (const orphan of orphans) await endProcess(orphan, politeMs);
      return `ended process ${pids.join(", ")}`;
    },
  );
}

/** Shells know the process of their claude; the MCP server's parent is it, and Claude Code left its mark on it. */
function hasLostItsSession(each: ProcessFacts, all: readonly ProcessFacts[]): boolean {
  const { CLAUDE_PID, CLAUDE_CODE_SESSION_ID } = each.environment;
  if (runsScript(each, "monitors/wake.sh") || runsScript(each, "hooks/hook.sh"))
    return CLAUDE_PID !== undefined && !isProcessAlive(Number(CLAUDE_PID));
  if (!runsScript(each, "dist/mcp.js") || CLAUDE_CODE_SESSION_ID === undefined) return false;
  const parent = all.find(({ pid }) => pid === each.parentPid);
  return each.parentPid === 1 || parent?.name === "systemd";
}
