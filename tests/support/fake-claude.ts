import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach } from "vitest";

export interface FakeClaude {
  pid: number;
  /** Kills it with SIGKILL. */
  kill9(): Promise<void>;
}

/** Processes that do nothing: the daemon only checks whether a claude is running. */
export function useFakeClaudes(tearDown: (close: () => Promise<void>) => void = afterEach): {
  open(): FakeClaude;
} {
  const opened: ChildProcess[] = [];
  tearDown(async () => {
    await Promise.all(opened.splice(0).map(end));
  });
  return {
    open() {
      const child = spawn("sleep", ["3600"], { stdio: "ignore", env: { PATH: process.env.PATH ?? "" } });
      if (child.pid === undefined) throw new Error("sleep did not start");
      opened.push(child);
      return { pid: child.pid, kill9: () => end(child) };
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
