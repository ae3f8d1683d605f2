import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Environment } from "../config/environment.ts";

/**
 * Whether an agent started us: its commands may not answer for the person. The daemon checks the same of whoever connects;
 * this only says so sooner and in plainer words.
 */
export function isUnderAgent(environment: Environment, pid = process.ppid): boolean {
  if (environment.CLAUDECODE || environment.CLAUDE_PID) return true;
  for (let next = pid, steps = 0; next > 1 && steps < 64; steps++) {
    const parent = readProcess(next);
    if (!parent) return false;
    if (parent.name === "claude") return true;
    next = parent.parentPid;
  }
  return false;
}

function readProcess(pid: number): { parentPid: number; name: string } | undefined {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const end = stat.lastIndexOf(")");
      const [, parentPid] = stat.slice(end + 2).split(" ");
      return { parentPid: Number(parentPid), name: stat.slice(stat.indexOf("(") + 1, end) };
    }
    const shown = execFileSync("ps", ["-o", "ppid=,comm=", "-p", String(pid)], { encoding: "utf8" }).trim();
    const [parentPid = "", ...name] = shown.split(/\s+/);
    return { parentPid: Number(parentPid), name: basename(name.join(" ")) };
  } catch {
    return undefined; // It has ended, or there is no way to look: the daemon decides.
  }
}
