import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readArguments, readProcessEnvironment, readStat } from "../../shared/processes.ts";

/** A process of this user. */
export interface ProcessFacts {
  pid: number;
  parentPid: number;
  /** The kernel's letter: `T` is stopped by a signal. */
  state: string;
  name: string;
  args: string[];
  environment: Record<string, string>;
  ageMs: number;
  /** Distinguishes it from a later process with the same pid. */
  startMark: string;
}

/** The unit of process times in /proc: USER_HZ, the same on every Linux that Node supports. */
const ticksPerSecond = 100;

/** Every process of this user. Linux only; empty elsewhere, so callers must not conclude that none runs. */
export function listProcesses(): ProcessFacts[] {
  if (process.platform !== "linux") return [];
  const uptimeMs = Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) * 1_000;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readProcess(Number(pid), uptimeMs) ?? []);
}

function readProcess(pid: number, uptimeMs: number): ProcessFacts | undefined {
  try {
    if (statSync(`/proc/${pid}`).uid !== process.getuid?.()) return undefined;
    // Inside a container, pids and paths mean something else.
    if (namespacesOf(pid) !== namespacesOf("self")) return undefined;
    const [stat, args, environment] = [readStat(pid), readArguments(pid), readProcessEnvironment(pid)];
    if (!stat || stat.state === "Z" || !args || !environment) return undefined;
    const { parentPid, state, name, startMark } = stat;
    const ageMs = uptimeMs - (Number(startMark) / ticksPerSecond) * 1_000;
    return { pid, parentPid, state, name, args, environment, ageMs, startMark };
  } catch {
    return undefined; // It exited in the meantime, or we lack permission.
  }
}

function namespacesOf(pid: number | "self"): string {
  return ["pid", "mnt"].map((name) => readlinkSync(`/proc/${pid}/ns/${name}`)).join();
}

/** The Rookery home of a process. */
export function homeOf({ environment }: ProcessFacts): string {
  return resolve(environment.ROOKERY_HOME || join(environment.HOME ?? "/", ".rookery"));
}

/** Whether it runs one of our own files, such as `dist/daemon.js`. */
export function runsScript({ args }: ProcessFacts, script: string): boolean {
  return args.some((arg) => arg.endsWith(`/${script}`));
}

/** Whether it is still the same process: the pid may have been reused. */
function isSame({ pid, startMark }: ProcessFacts): boolean {
  return readProcess(pid, 0)?.startMark === startMark;
}

/**
 * Ends one of our processes: SIGTERM, and SIGKILL after `graceMs`. A stopped process is continued first, because it
 * cannot handle SIGTERM. True if it has exited.
 */
export async function endProcess(target: ProcessFacts, graceMs: number): Promise<boolean> {
  if (!isSame(target)) return true;
  if (graceMs > 0) {
    process.kill(target.pid, "SIGTERM");
    process.kill(target.pid, "SIGCONT");
    if (await isGoneWithin(target, graceMs)) return true;
  }
  process.kill(target.pid, "SIGKILL");
  return isGoneWithin(target, 2_000);
}

async function isGoneWithin(target: ProcessFacts, ms: number): Promise<boolean> {
  for (const until = performance.now() + ms; performance.now() < until; await delay(25))
    if (!isSame(target)) return true;
  return !isSame(target);
}

/** Continues a stopped process (Ctrl-Z, `kill -STOP`). */
export function resumeProcess(target: ProcessFacts): void {
  if (isSame(target)) process.kill(target.pid, "SIGCONT");
}
