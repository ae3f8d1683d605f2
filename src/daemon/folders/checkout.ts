import { execFile } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Environment } from "../../config/environment.ts";

const run = promisify(execFile);
const mostBytes = 512 * 1024 * 1024;

/** The folder that holds `.git`: of the main checkout, or of the worktree that this lies in. */
export function locateCheckout(folder: string): string | undefined {
  let start: string;
  try {
    start = realpathSync(folder);
  } catch {
    return undefined; // It is gone.
  }
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** A `GIT_DIR` in the daemon's surroundings would make git speak of another repository. */
export function gitEnvironment({ PATH = "", HOME = "" }: Environment): Record<string, string> {
  return { PATH, HOME, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" };
}

/** What git keeps in a checkout, relative to its root, with `/`. Names may hold anything but a NUL. */
export async function listTracked(root: string, env: Record<string, string>): Promise<Set<string>> {
  const { stdout } = await run("git", ["-C", root, "ls-files", "-z"], {
    ...{ env, maxBuffer: mostBytes, timeout: 60_000, killSignal: "SIGKILL" },
  });
  return new Set(stdout.split("\0").filter(Boolean));
}
