import { spawn } from "node:child_process";

export interface CommandResult {
  /** Null if it could not be started or timed out. */
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

interface RunOptions {
  input?: string;
  environment: Record<string, string>;
  timeoutMs?: number;
}

/** Runs a program until it exits or times out. Never throws. */
export function runCommand(
  command: string,
  args: readonly string[],
  { input = "", environment, timeoutMs = 15_000 }: RunOptions,
): Promise<CommandResult> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let stdout = "";
    let stderr = "";
    const finish = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr, ms: Math.round(performance.now() - startedAt) });
    };
    const child = spawn(command, args, { env: environment, windowsHide: true });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      stderr ||= `no exit within ${timeoutMs} ms`;
      finish(null); // Without waiting for its pipes to close: a grandchild may hold them open.
    }, timeoutMs);
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    child.on("error", (error) => {
      stderr = error.message;
      finish(null);
    });
    child.on("close", finish);
    child.stdin.on("error", () => {}); // It exited without reading its input; the exit code is enough.
    child.stdin.end(input);
  });
}
