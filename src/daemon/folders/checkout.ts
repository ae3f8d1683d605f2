import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Environment } from "../../config/environment.ts";

const run = promisify(execFile);
const mostBytes = 512 * 1024 * 1024;

/** A `GIT_DIR` in the daemon's surroundings would make git speak of another repository. */
export function gitEnvironment({ PATH = "", HOME = "" }: Environment): Record<string, string> {
  return { PATH, HOME, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" };
}

/** What git keeps in a checkout, relative to its root, with `/`. Names may hold anything but a NUL. */
export async function listTracked(root: string, env: Record<string, string>): Promise<Set<string>> {
  const { stdout } = await run("git", ["-C", root, "ls-files", "-z"], {
    env,
    maxBuffer: mostBytes,
    timeout: 60_000,
    killSignal: "SIGKILL",
  });
  return new Set(stdout.split("\0").filter(Boolean));
}
