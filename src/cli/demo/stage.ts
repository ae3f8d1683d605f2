import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readDaemonFile } from "../../client/discover.ts";
import { ensureDaemon, stopDaemon } from "../../client/start.ts";
import type { Environment } from "../../config/environment.ts";
import { type Home, locateHome, prepareHome } from "../../config/home.ts";
import type { CliContext } from "../command.ts";

/** A home and a project of their own, with a daemon in it. Nothing of the user's is read or written. */
export interface Stage {
  folder: string;
  home: Home;
  project: string;
  startDaemon(): Promise<void>;
  /** What `hooks.json` runs for this event; answers with what it printed. */
  hook(event: string, payload: unknown): Promise<string>;
  stopDaemon(): Promise<void>;
  remove(): void;
}

/** What programs need to run at all; settings, keys and sessions of the user stay outside. */
const inherited = ["PATH", "TMPDIR", "TMP", "TEMP", "LANG", "TZ", "SystemRoot", "XDG_RUNTIME_DIR"];

export function openStage(context: CliContext, projectName: string, signal: AbortSignal): Stage {
  // A short name: the path of a socket is limited.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "rk-demo-")));
  const environment: Record<string, string> = {
    ...pick(context.environment, inherited),
    HOME: folder,
    ROOKERY_HOME: join(folder, "home"),
    ROOKERY_NODE: process.execPath,
    CLAUDE_PID: String(process.pid),
  };
  const home = locateHome(environment);
  const project = join(folder, projectName);
  const script = join(context.pluginRoot, "hooks", "hook.sh");

  return {
    folder,
    home,
    project,
    async startDaemon() {
      prepareHome(home);
      writeFileSync(home.config, '{ "port": 0 }\n', { mode: 0o600 });
      makeRepository(project, environment);
      signal.throwIfAborted();
      const { CLAUDE_PID: _, ...ofDaemon } = environment;
      await ensureDaemon({ ...context.startOptions, address: home, home, environment: ofDaemon });
    },
    hook(event, payload) {
      signal.throwIfAborted();
      return run("bash", [script, event], JSON.stringify(payload), environment, signal);
    },
    async stopDaemon() {
      const pid = readDaemonFile(home.daemonFile)?.pid;
      if (pid === undefined) return;
      try {
        await stopDaemon({ address: home, home }, "stop");
      } catch {
        // It does not answer: the end below does not ask.
      }
      await waitForEnd(pid);
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function pick(environment: Environment, names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function makeRepository(project: string, env: Record<string, string>): void {
  mkdirSync(project);
  try {
    execFileSync("git", ["init", "-q", project], { env, stdio: "ignore" });
  } catch {
    mkdirSync(join(project, ".git"), { recursive: true }); // No git: the folder alone marks a repository.
  }
}

function run(
  command: string,
  args: string[],
  input: string,
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, signal, stdio: ["pipe", "pipe", "ignore"] });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    child.on("error", reject);
    child.on("close", () => resolve(stdout));
    child.stdin.on("error", () => {}); // It ended without reading all: what it printed says the rest.
    child.stdin.end(input);
  });
}

async function waitForEnd(pid: number): Promise<void> {
  for (const until = Date.now() + 5_000; Date.now() < until; await delay(10)) if (!isAlive(pid)) return;
  process.kill(pid, "SIGKILL");
  while (isAlive(pid)) await delay(10);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // No such process.
  }
}
