import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { makePayload, patientRead, type Ran, type Rookery } from "./rookery.ts";

export interface WaitingHook {
  pid: number;
  child: ChildProcess;
  isOver(): boolean;
  done: Promise<Ran>;
}

/** Runs the hook script on a permission request until it waits. */
export function startPermissionHook(
  rookery: Rookery,
  fields: Record<string, unknown>,
  hostPid: number = process.pid,
): WaitingHook {
  const child = spawn("bash", [join(rookery.plugin, "hooks", "hook.sh"), "PermissionRequest"], {
    env: { ...rookery.env, CLAUDE_PID: String(hostPid), BASH_ENV: patientRead },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  child.stdin.end(JSON.stringify(makePayload("PermissionRequest", fields)));
  const done = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
  if (child.pid === undefined) throw new Error("the hook did not start");
  return { pid: child.pid, child, isOver: () => child.exitCode !== null || child.signalCode !== null, done };
}
