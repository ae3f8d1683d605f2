import { readFileSync, statSync } from "node:fs";
import type { StatusReport } from "../../protocol/status.ts";
import { build, isNewerBuild } from "../../shared/build.ts";
import { errorRegistry, isErrorCode } from "../../shared/errors.ts";
import { parseJson } from "../../shared/json.ts";
import type { CliContext } from "../command.ts";
import { restartDaemon } from "../commands/restart.ts";
import { startDaemon } from "../commands/start.ts";
import { formatBytes, formatDuration } from "../format.ts";
import { type Check, ok, problem, type Remark, skipped, warning } from "./finding.ts";
import type { Examination } from "./examination.ts";
import { continueProcess, endProcess, type ProcessFacts } from "./processes.ts";

export const daemonChecks: readonly Check[] = [
  { what: "Daemon", look: checkDaemon },
  { what: "Memory", look: checkMemory },
];

/** A daemon that starts may have to migrate first, or to wait for its predecessor; it says who it is when it is ready. */
const startingMs = 20_000;
/** What a daemon takes at most to finish what it holds. */
const politeMs = 6_000;
const muchMemory = 500_000_000;

async function checkDaemon(examination: Examination): Promise<Remark> {
  const status = await examination.status();
  return status ? judgeRunning(examination, status) : explainSilence(examination);
}

function judgeRunning({ context, daemonFile, daemons }: Examination, status: StatusReport): Remark {
  const running = daemonFile();
  if (running?.pid !== status.pid)
    return problem(
      `process ${status.pid} answers, but ${context.home.daemonFile} names ${running?.pid ?? "none"}`,
      "rookery restart",
      async () => {
        await restartDaemon(context);
        return "restarted the daemon: it says who it is";
      },
    );
  if (running.build !== build.build) {
    const said = `runs ${running.version} (build ${running.build}), this is ${build.version} (build ${build.build})`;
    if (isNewerBuild(build, running))
      return warning(said, "rookery restart", async () => {
        await restartDaemon(context);
        return "restarted the daemon: it is of this build now";
      });
    const script = daemons()[0]?.args.find((arg) => arg.endsWith("/dist/daemon.js"));
    const launcher = script?.replace(/\/dist\/daemon\.js$/, "/bin/rookery");
    return warning(`${said}, which is older`, `Use the newer command: ${launcher ?? "rookery"}`);
  }
  if (status.status !== "ok")
    return problem(
      `capture is paused: ${status.reason}`,
      "Free some disk space: it goes on by itself, and what waits in the spool is not lost.",
    );
  return ok(`process ${status.pid}, up ${formatDuration(status.uptimeMs)}, ${status.url}`);
}

/** Nobody answers on the socket: is there somebody? */
async function explainSilence(examination: Examination): Promise<Remark> {
  const { context, nowMs, daemonFile } = examination;
  const daemon = findSilent(examination);
  if (daemon?.state === "T")
    return problem(`process ${daemon.pid} was stopped by a signal`, `kill -CONT ${daemon.pid}`, () => {
      continueProcess(daemon);
      return `let process ${daemon.pid} go on`;
    });
  if (daemon && daemon.pid !== daemonFile()?.pid && daemon.ageMs < startingMs)
    return warning(`process ${daemon.pid} is starting`, "Wait a moment, then: rookery doctor");
  if (daemon) {
    const why = (await examination.unreachable())?.message ?? "";
    return problem(
      `process ${daemon.pid} runs, but cannot be reached. ${why}`,
      `kill ${daemon.pid}; rookery start (if it stays: kill -9 ${daemon.pid}; nothing is lost by that)`,
      async () => {
        await endProcess(daemon, politeMs);
        await startDaemon(context);
        return `ended process ${daemon.pid} and started a new daemon`;
      },
    );
  }
  const stoppedAt = statSync(context.home.stopped, { throwIfNoEntry: false })?.mtimeMs;
  if (stoppedAt !== undefined)
    return warning(
      `stopped by you ${formatDuration(Math.max(0, nowMs - stoppedAt))} ago; events wait in the spool`,
      "rookery start (your next session starts it, too)",
    );
  const words = readLastWords(context);
  return problem(
    words ? `none runs; the last start said: ${words.message}` : "none runs",
    words ? `${words.hint} Then: rookery start` : "rookery start",
    async () => {
      await startDaemon(context);
      return "started the daemon";
    },
  );
}

/** The one that says it is ours, else the oldest: it is the one that holds the lock. */
function findSilent({ daemons, daemonFile }: Examination): ProcessFacts | undefined {
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
    return undefined; // It died before it could say why in our form: `rookery start` shows what there is.
  }
}

async function checkMemory(examination: Examination): Promise<Remark> {
  const status = await examination.status();
  if (!status) return skipped("no daemon answers");
  const said = `${formatBytes(status.rssBytes)} resident`;
  if (status.rssBytes < muchMemory) return ok(said);
  return warning(`${said}, much for what it does`, "rookery restart, and tell us: rookery doctor --bundle");
}
