import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, fstatSync, openSync, readFileSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { runningEndpoints } from "../protocol/endpoints/running.ts";
import { type Build, isNewerBuild } from "../shared/build.ts";
import { AppError, isErrorCode } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";
import { isAnswering, readDaemonFile } from "./discover.ts";
import { type Address, callEndpoint } from "./request.ts";
import { chooseDaemonBuild } from "../shared/staged.ts";

export interface StartOptions {
  address: Address;
  home: { root: string; daemonFile: string; bootLog: string; stoppedByUser: string; app: string };
  /** Must not contain the variables of a session. */
  environment: Record<string, string>;
  daemonScript: string;
  build: Build;
  timeoutMs?: number;
}

export type StartOutcome = "running" | "started" | "replaced";

const pollMs = 15;
/**
 * Keeps the memory of the long-running daemon small:
 * - a small young generation, and a heap that grows late;
 * - an optimising compiler (5 MB once it runs) that starts only for long computations, not for the schemas of every start;
 * - one malloc arena: by default glibc gives each thread its own and does not return free pages.
 */
export const daemonRuntime = {
  flags: [
    "--disable-warning=ExperimentalWarning",
    "--max-semi-space-size=1",
    "--optimize-for-size",
    "--invocation-count-for-turbofan=30000",
  ],
  environment: { MALLOC_ARENA_MAX: "1" },
};

/** Ensures that a daemon of this build or a newer one runs. Concurrent starts are safe: the lock lets one win. */
export async function ensureDaemon(given: StartOptions): Promise<StartOutcome> {
  // Resolved on each call: an upgrade may have replaced the staged build during a session.
  const options = { ...given, ...chooseDaemonBuild(given.home.app, given) };
  const { address, build } = options;
  if (!(await isAnswering(address))) {
    await spawnDaemon(options);
    return "started";
  }
  const running = readDaemonFile(options.home.daemonFile);
  if (!running || !isNewerBuild(build, running)) return "running";
  try {
    await stopDaemon(options, "handover", build);
  } catch (error) {
    // Another process replaced it already; the running daemon is new enough.
    if (error instanceof AppError && error.code === "daemon_running") return "running";
    throw error;
  }
  await spawnDaemon(options);
  return "replaced";
}

/** Asks the daemon to stop and waits until it has released its files. False if none was running. */
export async function stopDaemon(
  { address, home }: Pick<StartOptions, "address" | "home">,
  reason: "stop" | "restart" | "handover",
  build?: Build,
): Promise<boolean> {
  if (!(await isAnswering(address, 5_000))) return false;
  await callEndpoint(address, runningEndpoints.stopDaemon, { body: { reason, ...build }, timeoutMs: 10_000 });
  await waitUntilStopped({ address, home });
  return true;
}

/** Waits until a daemon that was asked to stop has released its files. */
export async function waitUntilStopped({
  address,
  home,
}: Pick<StartOptions, "address" | "home">): Promise<void> {
  for (const until = performance.now() + 20_000; performance.now() < until; await delay(pollMs))
    if (!existsSync(home.daemonFile) && !(await isAnswering(address, 200))) return;
  throw new AppError("daemon_unreachable", "The daemon was asked to stop and still answers after 20 s.");
}

const maxBootLog = 1_000_000;

async function spawnDaemon(options: StartOptions): Promise<void> {
  const { home, address, timeoutMs = 30_000 } = options;
  // Every daemon appends its errors: an old log is dropped before it grows large.
  const isLong = (statSync(home.bootLog, { throwIfNoEntry: false })?.size ?? 0) > maxBootLog;
  const bootLog = openSync(home.bootLog, isLong ? "w" : "a", 0o600);
  const bootedAt = fstatSync(bootLog).size; // Earlier output belongs to earlier starts.
  let child = spawnOnce(options, bootLog);
  try {
    for (const until = performance.now() + timeoutMs; performance.now() < until; await delay(pollMs)) {
      if (await isAnswering(address)) return;
      if (child.failure)
        throw new AppError(
          "daemon_start_failed",
          `Cannot run ${process.execPath}: ${child.failure.message}.`,
          {
            cause: child.failure,
          },
        );
      const { exitCode } = child.process;
      if (exitCode === null) continue;
      if (exitCode === 6)
        throw new AppError("store_full", `The disk is full, or ${home.root} cannot be written.`);
      // Exit 5: another process holds the lock. It answers soon, or it was killed and the system takes long to end it.
      if (exitCode !== 5) throw bootError(home.bootLog, bootedAt, exitCode);
      child = spawnOnce(options, bootLog);
    }
  } finally {
    child.process.unref();
    closeSync(bootLog);
  }
  throw new AppError("daemon_start_failed", `The daemon did not answer within ${timeoutMs} ms.`);
}

function spawnOnce({ home, environment, daemonScript }: StartOptions, bootLog: number) {
  const started: { process: ChildProcess; failure?: Error } = {
    process: spawn(process.execPath, [...daemonRuntime.flags, daemonScript], {
      cwd: home.root,
      // Absolute: the daemon's working directory is its home.
      env: { ...daemonRuntime.environment, ...environment, ROOKERY_HOME: home.root },
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "ignore", bootLog],
    }),
  };
  started.process.once("error", (error) => (started.failure = error));
  return started;
}

function bootError(bootLog: string, from: number, exitCode: number): AppError {
  const text = readFileSync(bootLog).subarray(from).toString("utf8").trim();
  try {
    const { code, message } = parseJson(text.split("\n")[0] ?? "") as { code: string; message: string };
    if (isErrorCode(code)) return new AppError(code, message);
  } catch {
    // It crashed before it could write an error of ours: show its raw output.
  }
  return new AppError(
    "daemon_start_failed",
    `The daemon exited with code ${exitCode}: ${text.slice(0, 500) || "no output"}`,
  );
}
