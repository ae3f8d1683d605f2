import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readArguments, readProcessEnvironment, readStat } from "../../shared/processes.ts";

/** A process of this user. */
export interface ProcessFacts {
  pid: number;
  parentPid: number;
  /** As the kernel writes it: `T` is stopped by a signal. */
  state: string;
  name: string;
  args: string[];
  environment: Record<string, string>;
  ageMs: number;
  /** Tells it from a later one with the same id. */
  startMark: string;
}

/** What the kernel counts process times in; the same on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Every process of this user, where the system lets us look: Linux. Elsewhere none, and nothing is concluded from that. */
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
    // In a container the same number is another process, and the same path another home.
    if (namespacesOf(pid) !== namespacesOf("self")) return undefined;
    const [stat, args, environment] = [readStat(pid), readArguments(pid), readProcessEnvironment(pid)];
    if (!stat || stat.state === "Z" || !args || !environment) return undefined;
    const { parentPid, state, name, startMark } = stat;
    const ageMs = uptimeMs - (Number(startMark) / ticksPerSecond) * 1_000;
    return { pid, parentPid, state, name, args, environment, ageMs, startMark };
  } catch {
    return undefined; // It ended while we looked, or may not be looked at.
  }
}

function namespacesOf(pid: number | "self"): string {
  return ["pid", "mnt"].map((name) => readlinkSync(`/proc/${pid}/ns/${name}`)).join();
}

/** The home that a process works for. */
export function homeOf({ environment }: ProcessFacts): string {
  return resolve(environment.ROOKERY_HOME || join(environment.HOME ?? "/", ".rookery"));
}

/** Whether it runs one of our own files, such as `dist/daemon.js`. */
export function runsScript({ args }: ProcessFacts, script: string): boolean {
  return args.some((arg) => arg.endsWith(`/${script}`));
}

/** Whether it is still that very process: an id may have been given to another one meanwhile. */
function isSame({ pid, startMark }: ProcessFacts): boolean {
  return readProcess(pid, 0)?.startMark === startMark;
}

/**
 * Ends a process that was shown to be ours: by signal, and a while later without asking. A stopped one is let go on, or
 * it would never hear the first. True if it is gone.
 */
export async function endProcess(target: ProcessFacts, politeMs: number): Promise<boolean> {
  if (!isSame(target)) return true;
  if (politeMs > 0) {
    process.kill(target.pid, "SIGTERM");
    process.kill(target.pid, "SIGCONT");
    if (await isGoneWithin(target, politeMs)) return true;
  }
  process.kill(target.pid, "SIGKILL");
  return isGoneWithin(target, 2_000);
}

async function isGoneWithin(target: ProcessFacts, ms: number): Promise<boolean> {
  for (const until = performance.now() + ms; performance.now() < until; await delay(25))
    if (!isSame(target)) return true;
  return !isSame(target);
}

/** Lets a process go on that somebody stopped (Ctrl-Z, `kill -STOP`). */
export function continueProcess(target: ProcessFacts): void {
  if (isSame(target)) process.kill(target.pid, "SIGCONT");
}
