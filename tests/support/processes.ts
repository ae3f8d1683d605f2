import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

interface ProcessInfo {
  pid: number;
  parentPid: number;
  command: string;
}

interface WaitOptions {
  timeoutMs?: number;
  intervalMs?: number;
  /** Description for the error; a function is called at the time of failure, so that it can show the last state. */
  describe?: string | (() => string | Promise<string>);
}

type Falsy = false | 0 | "" | null | undefined;

const run = promisify(execFile);
const onLinux = process.platform === "linux";

/**
 * Polls until the check returns a truthy value, and returns it. An exception in the check ends the wait. The limit is for
 * tests that fail: on a busy machine a state may take many times as long as on an idle one.
 */
export async function waitFor<T>(
  check: () => T | Falsy | Promise<T | Falsy>,
  { timeoutMs = 60_000, intervalMs = 25, describe = "the awaited condition" }: WaitOptions = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (performance.now() >= deadline) {
      const what = typeof describe === "string" ? describe : await describe();
      throw new Error(`Timed out after ${timeoutMs} ms waiting for ${what}`);
    }
    await pause(intervalMs);
  }
}

/** Every process that this user can see, except zombies. */
async function listProcesses(): Promise<ProcessInfo[]> {
  return onLinux ? listFromProc() : listFromPs();
}

/** Children, grandchildren and so on of a process, without the process itself. */
export async function descendantsOf(pid: number): Promise<ProcessInfo[]> {
  const all = await listProcesses();
  const found: ProcessInfo[] = [];
  const parents = [pid];
  for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
    for (const child of all.filter((each) => each.parentPid === parent)) {
      found.push(child);
      parents.push(child.pid);
    }
  }
  return found;
}

/**
 * Processes whose command line or environment contains the marker. Unlike `descendantsOf` it also finds reparented
 * processes (double fork, `setsid`, parent killed), which keep the environment they were started with.
 */
export async function processesMentioning(marker: string): Promise<ProcessInfo[]> {
  const all = await listProcesses();
  const environments = onLinux ? await environmentsFromProc(all) : await environmentsFromPs();
  return all.filter(
    ({ pid, command }) =>
      pid !== process.pid && (command.includes(marker) || environments.get(pid)?.includes(marker)),
  );
}

/** True if the process has a child with another standard output, which may therefore outlive it. */
export async function hasDetachedChild(pid: number): Promise<boolean> {
  const children = await descendantsOf(pid);
  const outputs = await Promise.all(
    children.map((child) => readlink(`/proc/${child.pid}/fd/1`).catch(() => "")),
  );
  return outputs.includes("/dev/null");
}

export async function isRunning(pid: number): Promise<boolean> {
  if (onLinux) return (await readProcess(pid)) !== undefined;
  return (await listProcesses()).some((each) => each.pid === pid);
}

export async function waitUntilGone(pids: number[]): Promise<void> {
  await waitFor(async () => (await Promise.all(pids.map(isRunning))).every((running) => !running), {
    describe: async () => {
      const left = (await listProcesses()).filter(({ pid }) => pids.includes(pid));
      return `these processes to end:\n${describeProcesses(left)}`;
    },
  });
}

/** Signals one process; false if it has already exited. */
export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (hasCode(error, "ESRCH")) return false;
    throw error;
  }
}

/** True if a system call failed with this code, such as "ENOENT". */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

export function describeProcesses(processes: ProcessInfo[]): string {
  return processes
    .map(({ pid, parentPid, command }) => `  ${pid} (parent ${parentPid}) ${command.slice(0, 300)}`)
    .join("\n");
}

async function listFromProc(): Promise<ProcessInfo[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const infos = await Promise.all(pids.map((pid) => readProcess(Number(pid))));
  return infos.filter((info) => info !== undefined);
}

async function readProcess(pid: number): Promise<ProcessInfo | undefined> {
  const stat = await readProcFile(pid, "stat");
  // The second field, the name in parentheses, may itself contain spaces and parentheses.
  const nameEnd = stat.lastIndexOf(")");
  const [state, parentPid] = stat.slice(nameEnd + 2).split(" ");
  if (nameEnd < 0 || state === "Z" || state === "X") return undefined;
  const commandLine = (await readProcFile(pid, "cmdline")).replaceAll("\0", " ").trim();
  const name = stat.slice(stat.indexOf("("), nameEnd + 1);
  return { pid, parentPid: Number(parentPid), command: commandLine || name };
}

async function environmentsFromProc(processes: ProcessInfo[]): Promise<Map<number, string>> {
  const entries = processes.map(async ({ pid }) => [pid, await readProcFile(pid, "environ")] as const);
  return new Map(await Promise.all(entries));
}

/** Empty if the process exited between two reads, or belongs to another user. */
async function readProcFile(pid: number, name: string): Promise<string> {
  return readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
}

async function listFromPs(): Promise<ProcessInfo[]> {
  const { stdout } = await run("ps", ["-A", "-ww", "-o", "pid=,ppid=,stat=,command="]);
  return stdout
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null && !match[3]?.startsWith("Z"))
    .map((match) => ({
      pid: Number(match?.[1]),
      parentPid: Number(match?.[2]),
      command: match?.[4] ?? "",
    }));
}

async function environmentsFromPs(): Promise<Map<number, string>> {
  const { stdout } = await run("ps", ["-A", "-E", "-ww", "-o", "pid=,command="]);
  const lines = stdout.split("\n").map((line) => /^\s*(\d+)\s+(.*)$/.exec(line));
  return new Map(lines.filter((match) => match !== null).map((match) => [Number(match[1]), match[2] ?? ""]));
}
