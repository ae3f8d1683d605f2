import { spawn } from "node:child_process";

export interface Ran {
  /** Null where it could not be started, or was ended because it took too long. */
  code: number | null;
  stdout: string;
  stderr: string;
  ms: number;
}

export interface RunOptions {
  input?: string;
  environment: Record<string, string>;
  timeoutMs?: number;
}

/** Runs a program to its end, or to the end of our patience. Never throws. */
export function runCommand(
  command: string,
  args: readonly string[],
  { input = "", environment, timeoutMs = 5_000 }: RunOptions,
): Promise<Ran> {
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
      stderr ||= `no end within ${timeoutMs} ms`;
      finish(null); // Not when its pipes close: a child of its own may hold them.
    }, timeoutMs);
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    child.on("error", (error) => {
      stderr = error.message;
      finish(null);
    });
    child.on("close", finish);
    child.stdin.on("error", () => {}); // It ended without reading: its exit code says the rest.
    child.stdin.end(input);
  });
}
