import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { formatDuration, formatCount } from "../format.ts";
import { locateClaudeFolder } from "../plugin-install.ts";
import { type Check, ok, problem, type CheckResult, skipped, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";
import { homeOf, type ProcessFacts } from "./processes.ts";
import type { CommandResult } from "../run-command.ts";
import { dayMs } from "../../shared/clock.ts";

export const hookChecks: readonly Check[] = [
  { check: "Hook", run: (facts) => tryHook(facts, "Ping") },
  { check: "Waiting hook", run: (facts) => tryHook(facts, "PingWait") },
  { check: "Node hook", run: tryLeaf },
  { check: "Events", run: checkEvents },
  { check: "Silent sessions", run: checkSilentSessions },
];

const silentDaemon = "the daemon does not answer";
const maxTrips = 4;
const betweenTripsMs = 250;
const quietDays = 14;
/** The time between the start of claude and its first hook. */
const firstHookMs = 10_000;

/** A full round trip that stores no event. `PingWait` also goes through `wait.sh`, as a question would. */
async function tryHook(facts: DoctorFacts, event: "Ping" | "PingWait"): Promise<CheckResult> {
  if (!(await facts.status())) return skipped(silentDaemon);
  const folder = join(facts.context.pluginRoot, "hooks");
  const script = join(folder, "hook.sh");
  const ran = await tryTrip(() => facts.run(script, [event], { input: "{}" }));
  return judgeTrip(event === "Ping" ? script : join(folder, "wait.sh"), ran);
}

/** The hook for machines without bash: slower, but it must work where it is needed. */
async function tryLeaf(facts: DoctorFacts): Promise<CheckResult> {
  if (!(await facts.status())) return skipped(silentDaemon);
  const script = join(facts.context.pluginRoot, "dist", "hook-leaf.js");
  const ran = await tryTrip(() => facts.run(process.execPath, [script, "Ping"], { input: "{}" }));
  return judgeTrip(script, ran);
}

/** Repeated without an answer: on a busy machine a hook may give up before the daemon gets to it. */
async function tryTrip(run: () => Promise<CommandResult>): Promise<CommandResult> {
  for (let tries = 1; ; tries++) {
    const ran = await run();
    if (isAnswered(ran) || tries === maxTrips) return ran;
    await delay(betweenTripsMs);
  }
}

function isAnswered({ code, stdout }: CommandResult): boolean {
  return code === 0 && stdout === "pong";
}

function judgeTrip(script: string, ran: CommandResult): CheckResult {
  const { stdout, stderr, ms } = ran;
  if (isAnswered(ran)) return ok(`round trip through ${script} in ${ms} ms`);
  const message = (stderr || stdout).trim().split("\n")[0] || "no answer from the daemon";
  return problem(
    `${script}: ${message}`,
    'rookery restart; if that does not help: docs/hooks.md, "Debugging"',
  );
}

async function checkEvents({ inspection, nowMs }: DoctorFacts): Promise<CheckResult> {
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
async function checkSilentSessions(facts: DoctorFacts): Promise<CheckResult> {
  if (process.platform !== "linux") return skipped("can only be checked on Linux");
  const known = new Set((await facts.inspection()).database?.hostPids);
  const unseen = facts.processes().filter((each) => isOurClaude(each, facts) && !known.has(each.pid));
  if (unseen.length === 0) return ok("every running session has sent events");
  const pids = unseen.map(({ pid }) => pid).join(", ");
  return warning(
    `${formatCount(unseen.length, "running session")} (process ${pids}) without any hook event`,
    "Restart sessions that were started before the install. In others, check /hooks or run: claude --debug",
  );
}

/** A claude with the same settings and home, and not started by us. */
function isOurClaude(each: ProcessFacts, { context }: DoctorFacts): boolean {
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
