import { formatBytes } from "../../shared/format-bytes.ts";
import { readFileSync, statSync } from "node:fs";
import type { StatusReport } from "../../protocol/status.ts";
import { build, isNewerBuild } from "../../shared/build.ts";
import { errorRegistry, isErrorCode } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import type { CliContext } from "../command.ts";
import { restartDaemon, startDaemon } from "../start-daemon.ts";
import { formatDuration } from "../format.ts";
import { type Check, ok, problem, type CheckResult, skipped, warning } from "./check-result.ts";
import type { DoctorFacts } from "./doctor-facts.ts";
import { resumeProcess, endProcess, type ProcessFacts } from "./processes.ts";

export const daemonChecks: readonly Check[] = [
  { check: "Daemon", run: checkDaemon },
  { check: "Memory", run: checkMemory },
];

/** A starting daemon may have to migrate, or to wait for its predecessor; it writes daemon.json when it is ready. */
const startingMs = 20_000;
/** The time a daemon may need to shut down cleanly. */
const shutdownMs = 6_000;
const maxMemoryBytes = 500_000_000;

async function checkDaemon(facts: DoctorFacts): Promise<CheckResult> {
  const status = await facts.status();
  return status ? judgeRunning(facts, status) : explainSilence(facts);
}

function judgeRunning({ context, daemonFile, daemons }: DoctorFacts, status: StatusReport): CheckResult {
  const running = daemonFile();
  if (running?.pid !== status.pid)
    return problem(
      `process ${status.pid} answers, but ${context.home.daemonFile} names ${running?.pid ?? "none"}`,
      "rookery restart",
      async () => {
        await restartDaemon(context);
        return "restarted the daemon; daemon.json now names the right process";
      },
    );
  if (running.build !== build.build) {
    const message = `runs ${running.version} (build ${running.build}), but this command is ${build.version} (build ${build.build})`;
    if (isNewerBuild(build, running))
      return warning(message, "rookery restart", async () => {
        await restartDaemon(context);
        return "restarted the daemon; it now runs this build";
      });
    const script = daemons()[0]?.args.find((arg) => arg.endsWith("/dist/daemon.js"));
    const launcher = script?.replace(/\/dist\/daemon\.js$/, "/bin/rookery");
    return warning(`${message}, which is older`, `Use the newer command: ${launcher ?? "rookery"}`);
  }
  if (status.status !== "ok")
    return problem(
      `capture is paused: ${status.reason}`,
      "Free some disk space. Capture then resumes on its own; events in the spool are not lost.",
    );
  return ok(`process ${status.pid}, up ${formatDuration(status.uptimeMs)}, ${status.url}`);
}

/** No answer on the socket: finds out whether a daemon runs at all. */
async function explainSilence(facts: DoctorFacts): Promise<CheckResult> {
  const { context, nowMs, daemonFile } = facts;
  const daemon = findSilent(facts);
  if (daemon?.state === "T")
    return problem(`process ${daemon.pid} was stopped by a signal`, `kill -CONT ${daemon.pid}`, () => {
      resumeProcess(daemon);
      return `resumed process ${daemon.pid}`;
    });
  if (daemon && daemon.pid !== daemonFile()?.pid && daemon.ageMs < startingMs)
    return warning(`process ${daemon.pid} is starting`, "Wait a moment, then: rookery doctor");
  if (daemon) {
    const why = (await facts.unreachableError())?.message ?? "";
    return problem(
      `process ${daemon.pid} runs, but does not answer. ${why}`,
      `kill ${daemon.pid}; rookery start (if it does not exit: kill -9 ${daemon.pid}; no data is lost)`,
      async () => {
        await endProcess(daemon, shutdownMs);
        await startDaemon(context);
        return `ended process ${daemon.pid} and started a new daemon`;
      },
    );
  }
  const stoppedAt = statSync(context.home.stoppedByUser, { throwIfNoEntry: false })?.mtimeMs;
  if (stoppedAt !== undefined)
    return warning(
      `stopped by you ${formatDuration(Math.max(0, nowMs - stoppedAt))} ago; events are kept in the spool`,
      "rookery start (your next session also starts it)",
    );
  const words = readLastWords(context);
  return problem(
    words ? `not running; the last start failed: ${words.message}` : "not running",
    words ? `${words.hint} Then: rookery start` : "rookery start",
    async () => {
      await startDaemon(context);
      return "started the daemon";
    },
  );
}

/** The daemon named in daemon.json, or else the oldest one, which holds the lock. */
function findSilent({ daemons, daemonFile }: DoctorFacts): ProcessFacts | undefined {
  const oldestFirst = daemons().toSorted((a, b) => b.ageMs - a.ageMs);
  return oldestFirst.find(({ pid }) => pid === daemonFile()?.pid) ?? oldestFirst[0];
}

/** Why the last start failed, if nothing has run since. */
function readLastWords({ home }: CliContext): { message: string; hint: string } | undefined {
  const at = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (at(home.bootLog) === 0 || at(home.bootLog) < at(home.log)) return undefined;
  const last = readFileSync(home.bootLog, "utf8").trim().split("\n").at(-1) ?? "";
  try {
    const { code, message } = parseJson(last) as { code: string; message: string };
    return { message, hint: isErrorCode(code) ? errorRegistry[code].hint : "rookery logs" };
  } catch {
    return undefined; // It crashed before it could write an error of ours; `rookery start` shows its raw output.
  }
}

async function checkMemory(facts: DoctorFacts): Promise<CheckResult> {
  const status = await facts.status();
  if (!status) return skipped("the daemon does not answer");
  const message = `${formatBytes(status.rssBytes)} resident`;
  if (status.rssBytes < maxMemoryBytes) return ok(message);
  return warning(`${message}, more than expected`, "rookery restart; to report it: rookery doctor --bundle");
}
