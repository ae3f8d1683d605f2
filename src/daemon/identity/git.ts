import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import type { Environment } from "../../config/environment.ts";

const run = promisify(execFile);

/**
 * Runs git in a checkout and returns its output. Only for commands that read just the index or refs: filters and text
 * converters, which git applies to file contents, have names that the repository chooses and cannot be disabled here.
 */
export type Git = (root: string, args: readonly string[]) => Promise<string>;

const maxOutputBytes = 128 * 1024 * 1024;
const timeoutMs = 30_000;

/** The command line overrides a repository's own config and the files that it includes. */
const safeConfig = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.askPass=",
  "credential.helper=",
  "protocol.allow=never",
  "safe.bareRepository=explicit",
].flatMap((setting) => ["-c", setting]);

/** The only way to run git: a checkout may be hostile, and its config names programs that git would start. */
export function openGit(environment: Environment): Git {
  const inherited = pickSet(environment, ["PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SystemRoot"]);
  return async (root, args) => {
    // `-C` rather than a working directory: Windows would search for git.exe there first.
    const { stdout } = await run("git", ["-C", root, "--no-pager", ...safeConfig, ...args], {
      env: {
        ...inherited,
        LC_ALL: "C",
        GIT_OPTIONAL_LOCKS: "0",
        GIT_TERMINAL_PROMPT: "0",
        GIT_ALLOW_PROTOCOL: "none",
        GIT_NO_LAZY_FETCH: "1",
        GIT_CEILING_DIRECTORIES: dirname(root),
      },
      maxBuffer: maxOutputBytes,
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    return stdout;
  };
}

function pickSet(environment: Environment, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
