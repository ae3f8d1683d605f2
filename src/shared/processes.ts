import { readFileSync } from "node:fs";

/** The fields of /proc/PID/stat that are used here. */
interface ProcessStat {
  name: string;
  /** As the kernel writes it: `T` is stopped by a signal, `Z` is a zombie. */
  state: string;
  parentPid: number;
  /** Device number of the controlling terminal, 0 without one. */
  tty: number;
  /** Start time in clock ticks since boot. */
  startMark: string;
}

/**
 * Whether a process with this id is running, including processes of other users. A zombie does not count as running.
 */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return readStat(pid)?.state !== "Z";
}

/**
 * The start time of a process, which distinguishes it from a later one with the same id. Linux only: elsewhere it is
 * null, and a reused id is taken for the same process until its session ends.
 */
export function processStartMark(pid: number): string | null {
  return readStat(pid)?.startMark ?? null;
}

export function isSameProcess(pid: number, startMark: string | null): boolean {
  if (!isProcessAlive(pid)) return false;
  return startMark === null || processStartMark(pid) === startMark;
}

/** Undefined if there is no such process, or no /proc on this system. */
export function readStat(pid: number): ProcessStat | undefined {
  const stat = readProcFile(pid, "stat");
  if (stat === undefined) return undefined;
  // The name may contain spaces and brackets: the other fields are counted from its closing bracket.
  const nameEnd = stat.lastIndexOf(")");
  const fields = stat.slice(nameEnd + 2).split(" ");
  return {
    name: stat.slice(stat.indexOf("(") + 1, nameEnd),
    state: fields[0] ?? "",
    parentPid: Number(fields[1]),
    tty: Number(fields[4]),
    startMark: fields[19] ?? "",
  };
}

/** The command line of a process. Linux only. */
export function readArguments(pid: number): string[] | undefined {
  return readProcFile(pid, "cmdline")?.split("\0").filter(Boolean);
}

/** The environment that a process was started with. Linux only, and only for processes of this user. */
export function readProcessEnvironment(pid: number): Record<string, string> | undefined {
  const entries = readProcFile(pid, "environ")?.split("\0").filter(Boolean);
  return entries && Object.fromEntries(entries.map(splitVariable));
}

function splitVariable(entry: string): [string, string] {
  const at = entry.indexOf("=");
  return [entry.slice(0, at), entry.slice(at + 1)];
}

function readProcFile(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined; // The process has ended, belongs to another user, or there is no /proc.
  }
}
