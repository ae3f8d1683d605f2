import { readFileSync } from "node:fs";

/** Does a process with this id exist? Another user's counts too. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * A mark of when the process began, to tell it from a later one with the same id. Linux only; elsewhere
 * null, and a recycled id is then taken for the same process until its session ends.
 */
export function processStartMark(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command name may hold spaces and brackets: fields are counted from its closing bracket.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

export function isSameProcess(pid: number, startMark: string | null): boolean {
  if (!isProcessAlive(pid)) return false;
  return startMark === null || processStartMark(pid) === startMark;
}
