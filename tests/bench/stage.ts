import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { daemonRuntime } from "../../src/client/start.ts";
import { type Home, locateHome } from "../../src/config/home.ts";
import { type Database, openDatabase } from "../../src/sqlite/sqlite.ts";
import { exchange } from "../support/exchange.ts";
import {
  isRunning,
  processesMentioning,
  signalProcess,
  waitFor,
  waitUntilGone,
} from "../support/processes.ts";
import { openStopwatch, type Stopwatch } from "./stopwatch.ts";

/** One Rookery home and access to its daemon. */
export interface BenchHome {
  home: Home;
  env: Record<string, string>;
  stopwatch: Stopwatch;
  /** Runs the daemon itself, without the launcher, and returns once /health answers: the duration in ms. */
  startDirectly(): Promise<number>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  pid(): number;
  port(): number;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  count(where?: string): number;
  /** Waits until the spool is empty. */
  drained(timeoutMs?: number): Promise<void>;
}

/** A temporary folder with a copy of the plugin, as Claude Code installs it, so that a rebuild does not interfere. */
export interface Stage {
  plugin: string;
  openHome(name: string, config?: object): BenchHome;
  /** Starts a child in a clean environment; it ends with the stage at the latest. */
  run(command: string, args: string[], env: Record<string, string>): ChildProcess;
  /** Ends every process that was started here, by its pid. */
  close(): Promise<void>;
}

const builtPlugin = fileURLToPath(new URL("../../plugin", import.meta.url));

export function openStage(plugin = builtPlugin): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "rookery-bench-")));
  const copy = join(root, "plugin");
  cpSync(plugin, copy, { recursive: true });
  // `rookery up` installs the marketplace entry beside it as well.
  cpSync(join(dirname(plugin), ".claude-plugin"), join(root, ".claude-plugin"), { recursive: true });
  const closers: (() => void)[] = [];

  function run(command: string, args: string[], env: Record<string, string>): ChildProcess {
    return spawn(command, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  }

  return {
    plugin: copy,
    run,
    openHome(name, config = {}) {
      const opened = openBenchHome(join(root, name), config);
      closers.push(opened.close);
      return opened.bench;
    },
    async close() {
      for (const close of closers) close();
      // Every process of ours has the folder in its environment or command line.
      const left = (await processesMentioning(root)).map(({ pid }) => pid);
      for (const pid of left) signalProcess(pid, "SIGKILL");
      await waitUntilGone(left);
      rmSync(root, { recursive: true, force: true });
    },
  };

  function openBenchHome(folder: string, config: object): { bench: BenchHome; close(): void } {
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: join(folder, "user"),
      LANG: "C.UTF-8",
      ROOKERY_HOME: join(folder, "home"),
      CLAUDE_PID: String(process.pid),
    };
    const home = locateHome(env);
    const work = join(folder, "work");
    for (const made of [env.HOME, home.root, work]) mkdirSync(made, { recursive: true, mode: 0o700 });
    const settings = { port: 0, delivery: { characters: 9500 }, ...config };
    writeFileSync(home.config, `${JSON.stringify(settings)}\n`);
    const stopwatch = openStopwatch(work, env);
    let database: Database | undefined;
    const about = (): { pid: number; port: number } => JSON.parse(readFileSync(home.daemonFile, "utf8"));
    // Over TCP the daemon can look up the caller, which some endpoints require.
    async function callDaemon<T>(method: string, path: string, body?: unknown): Promise<T> {
      const headers = { authorization: `Bearer ${readFileSync(home.token, "utf8").trim()}` };
      const address = { host: "127.0.0.1", port: about().port };
      const { status, text, json } = await exchange(address, method, path, body, headers);
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
      return json as T;
    }

    const bench: BenchHome = {
      home,
      env,
      stopwatch,
      async startDirectly() {
        const { CLAUDE_PID: _session, ...daemonEnv } = env;
        const startedAt = performance.now();
        const script = join(copy, "dist", "daemon.js");
        const child = spawn(process.execPath, [...daemonRuntime.flags, script], {
          env: { ...daemonRuntime.environment, ...daemonEnv },
          stdio: ["ignore", "ignore", "inherit"],
        });
        const answers = (): Promise<unknown> =>
          exchange({ socketPath: home.socket }, "GET", "/health").catch(() => undefined);
        await waitFor(answers, { intervalMs: 2, describe: "the daemon's /health" });
        child.unref();
        return performance.now() - startedAt;
      },
      async stop(signal = "SIGTERM") {
        const { pid } = about();
        signalProcess(pid, signal);
        await waitUntilGone([pid]);
      },
      pid: () => about().pid,
      port: () => about().port,
      call: callDaemon,
      count(where = "1") {
        database ??= openDatabase(home.database, { readOnly: true });
        return database.get<{ n: number }>(`SELECT count(*) AS n FROM events WHERE ${where}`)?.n ?? 0;
      },
      async drained(timeoutMs = 10_000) {
        const left = (): number => readdirSync(home.spool).length;
        await waitFor(() => left() === 0, {
          timeoutMs,
          intervalMs: 50,
          describe: () => `${left()} spooled files`,
        });
      },
    };
    function close(): void {
      stopwatch.close();
      database?.close();
    }
    return { bench, close };
  }
}

/** Ends a child and waits until it has exited. */
export async function endChild(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || !(await isRunning(child.pid))) return;
  signalProcess(child.pid, "SIGTERM");
  await waitUntilGone([child.pid]);
}
