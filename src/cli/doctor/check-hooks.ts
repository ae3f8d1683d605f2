import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { formatDuration, formatCount } from "../format.ts";
import { locateClaudeFolder } from "../plugin-install.ts";
import { type Check, ok, problem, type Remark, skipped, warning } from "./finding.ts";
import type { Examination } from "./examination.ts";
import { homeOf, type ProcessFacts } from "./processes.ts";
import type { Ran } from "../run-command.ts";
import { dayMs } from "../../shared/clock.ts";

export const hookChecks: readonly Check[] = [
  { check: "Hook", run: (examination) => tryHook(examination, "Ping") },
  { check: "Waiting hook", run: (examination) => tryHook(examination, "PingWait") },
  { check: "Node hook", run: tryLeaf },
  { check: "Events", run: checkEvents },
  { check: "Unheard", run: checkUnheard },
];

const silentDaemon = "the daemon does not answer";
const maxTrips = 4;
const betweenTripsMs = 250;
const quietDays = 14;
/** The time between the start of claude and its first hook. */
const firstHookMs = 10_000;

/** A full round trip that stores no event. `PingWait` also goes through `wait.sh`, as a question would. */
async function tryHook(examination: Examination, event: "Ping" | "PingWait"): Promise<Remark> {
  if (!(await examination.status())) return skipped(silentDaemon);
  const folder = join(examination.context.pluginRoot, "hooks");
  const script = join(folder, "hook.sh");
  const ran = await tryTrip(() => examination.run(script, [event], { input: "{}" }));
  return judgeTrip(event === "Ping" ? script : join(folder, "wait.sh"), ran);
}

/** The hook for machines without bash: slower, but it must work where it is needed. */
async function tryLeaf(examination: Examination): Promise<Remark> {
  if (!(await examination.status())) return skipped(silentDaemon);
  const script = join(examination.context.pluginRoot, "dist", "hook-leaf.js");
  const ran = await tryTrip(() => examination.run(process.execPath, [script, "Ping"], { input: "{}" }));
  return judgeTrip(script, ran);
}

/** Repeated without an answer: on a busy machine a hook may give up before the daemon gets to it. */
async function tryTrip(run: () => Promise<Ran>): Promise<Ran> {
  for (let tries = 1; ; tries++) {
    const ran = await run();
    if (isAnswered(ran) || tries === maxTrips) return ran;
    await delay(betweenTripsMs);
  }
}

function isAnswered({ code, stdout }: Ran): boolean {
  return code === 0 && stdout === "pong";
}

function judgeTrip(script: string, ran: Ran): Remark {
  const { stdout, stderr, ms } = ran;
  if (isAnswered(ran)) return ok(`round trip through ${script} in ${ms} ms`);
  const message = (stderr || stdout).trim().split("\n")[0] || "no answer from the daemon";
  return problem(
    `${script}: ${message}`,
    'rookery restart; if that does not help: docs/hooks.md, "Debugging"',
  );
}

async function checkEvents({ inspection, nowMs }: Examination): Promise<Remark> {
  const { database } = await inspection();
  const at = database?.lastEventAt ?? undefined;
  if (at === undefined)
    return warning(
      "no event stored yet",
      "Start a session: claude (in a running one, /hooks lists its hooks)",
    );
  const age = formatDuration(Math.max(0, nowMs - at));
  if (nowMs - at < quietDays * dayMs) return ok(`last event ${age} ago`);
  return warning(
    `last event ${age} ago`,
    "If you have used claude since then, check its hooks: /hooks in a session",
  );
}

/** Running sessions without any hook event: started before the install, or with hooks switched off. */
async function checkUnheard(examination: Examination): Promise<Remark> {
  if (process.platform !== "linux") return skipped("can only be checked on Linux");
  const known = new Set((await examination.inspection()).database?.hostPids);
  const unheard = examination
    .processes()
    .filter((each) => isOurClaude(each, examination) && !known.has(each.pid));
  if (unheard.length === 0) return ok("every running session has sent events");
  const pids = unheard.map(({ pid }) => pid).join(", ");
  return warning(
    `${formatCount(unheard.length, "running session")} (process ${pids}) without any hook event`,
    "Restart sessions that were started before the install. In others, check /hooks or run: claude --debug",
  );
}

/** A claude with the same settings and home, and not started by us. */
function isOurClaude(each: ProcessFacts, { context }: Examination): boolean {
  const { CLAUDE_CONFIG_DIR, HOME, ROOKERY_OFF } = each.environment;
  const folder = locateClaudeFolder({ environment: { CLAUDE_CONFIG_DIR, HOME } });
  return (
    each.name === "claude" &&
    each.ageMs > firstHookMs &&
    ROOKERY_OFF === undefined &&
    homeOf(each) === context.home.root &&
    folder === locateClaudeFolder(context)
  );
}
