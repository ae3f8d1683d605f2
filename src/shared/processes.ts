import { readFileSync } from "node:fs";

/** Does a process with this id run? Another user's counts, one that only waits to be reaped does not. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return readStat(pid)?.[0] !== "Z";
}

/**
 * A mark of when the process began, to tell it from a later one with the same id. Linux only; elsewhere
 * null, and a recycled id is then taken for the same process until its session ends.
 */
export function processStartMark(pid: number): string | null {
  return readStat(pid)?.[19] ?? null;
}

/** The fields of /proc/PID/stat from the state on. */
export function readStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name may hold spaces and brackets: fields are counted from its closing bracket.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined; // No such process, or no /proc on this system.
  }
}

export function isSameProcess(pid: number, startMark: string | null): boolean {
  if (!isProcessAlive(pid)) return false;
  return startMark === null || processStartMark(pid) === startMark;
}
