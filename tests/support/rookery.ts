import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureDaemon } from "../../src/client/start.ts";
import { makeDaemonEnvironment } from "../../src/config/environment.ts";
import { locateHome, type Home, prepareHome } from "../../src/config/home.ts";
import { type Build, readBuildFile } from "../../src/shared/build.ts";
import { type Database, openDatabase } from "../../src/sqlite/sqlite.ts";
import { type Answer, exchange } from "./exchange.ts";
import { processesMentioning, signalProcess, waitUntilGone } from "./processes.ts";

export const repository = fileURLToPath(new URL("../..", import.meta.url));
export const plugin = join(repository, "plugin");
/** For BASH_ENV, which `bash SCRIPT` reads; the script executed on its own ignores it. */
export const patientRead = join(repository, "tests", "support", "patient-read.sh");
/** For tests that need no rooms: a daemon starts sooner without its homeserver. */
export const withoutRooms = { ROOKERY_MATRIX_ENABLED: "false" };
const cliWithoutLauncher = ["--disable-warning=ExperimentalWarning", join(plugin, "dist", "cli.js")];

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface HookOptions {
  hostPid?: number;
  env?: Record<string, string>;
  /** With the timeouts of a session, for a daemon that hangs. */
  isHasty?: boolean;
}

export interface Rookery {
  /** Temporary folder with everything of this user. Its name is in the environment of all their processes. */
  folder: string;
  home: Home;
  /** Folder of the built plugin. */
  plugin: string;
  env: Record<string, string>;
  /** Runs a command: without the launcher, which would only find this Node, unless the plugin or the Node is another one. */
  cli(...args: string[]): Promise<Ran>;
  /** Same as the command `start`, but without a process for it. */
  start(): Promise<void>;
  stop(): Promise<void>;
  pid(): number;
  /** Kills the daemon with SIGKILL and waits until it has exited. */
  kill9(): Promise<void>;
  /** Runs the hook script as hooks.json does, with more patience unless `isHasty`. */
  hook(event: string, payload: unknown, options?: HookOptions): Promise<Ran>;
  /** A request over the unix socket; over TCP if it names a session's process, as the MCP server sends it. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** A request over TCP, by default with the right token. */
  callTcp(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** A separate read-only connection to the database file. */
  query<T = any>(sql: string, ...values: (string | number)[]): T[];
  close(): Promise<void>;
}

/** A home in a temporary folder, driven through the built plugin: launcher, hook script, sockets. */
export function openRookery(env: Record<string, string> = {}, artefact: string = plugin): Rookery {
  const folder = mkdtempSync(join(tmpdir(), "rk-"));
  const fullEnv: Record<string, string> = {
    PATH: process.env.PATH ?? "/usr/bin:/bin",
    HOME: folder,
    LANG: "C.UTF-8",
    ROOKERY_HOME: join(folder, "home"),
    ROOKERY_PORT: "0",
    ROOKERY_MATRIX_PORT: "0",
    ROOKERY_NODE: process.execPath,
    ...env,
  };
  const home = locateHome(fullEnv);
  const daemonFile = (): { pid: number; port: number } => JSON.parse(readFileSync(home.daemonFile, "utf8"));
  let database: Database | undefined;

  const rookery: Rookery = {
    folder,
    home,
    plugin: artefact,
    env: fullEnv,
    cli: (...args) =>
      artefact === plugin && fullEnv.ROOKERY_NODE === process.execPath
        ? runProcess(process.execPath, [...cliWithoutLauncher, ...args], "", fullEnv)
        : runProcess(join(artefact, "bin", "rookery"), args, "", fullEnv),
    async start() {
      prepareHome(home);
      rmSync(home.stoppedByUser, { force: true });
      await ensureDaemon({
        address: home,
        home,
        environment: makeDaemonEnvironment(fullEnv),
        daemonScript: join(artefact, "dist", "daemon.js"),
        build: readBuildFile(join(artefact, "dist", "build.json")) as Build,
        timeoutMs: 60_000,
      });
    },
    async stop() {
      await rookery.cli("stop");
    },
    pid: () => daemonFile().pid,
    async kill9() {
      const pid = daemonFile().pid;
      process.kill(pid, "SIGKILL");
      await waitUntilGone([pid]);
    },
    hook(event, payload, options = {}) {
      const input =
        typeof payload === "string" || payload instanceof Uint8Array ? payload : JSON.stringify(payload);
      const env = { ...fullEnv, CLAUDE_PID: String(options.hostPid ?? process.pid), ...options.env };
      const script = join(artefact, "hooks", "hook.sh");
      return options.isHasty
        ? runProcess(script, [event], input, env)
        : runProcess("bash", [script, event], input, { ...env, BASH_ENV: patientRead });
    },
    call: (method, path, body, headers) =>
      namesSession(path, body)
        ? rookery.callTcp(method, path, body, headers)
        : exchange({ socketPath: home.socket }, method, path, body, headers),
    async callTcp(method, path, body, headers) {
      const token = readFileSync(home.token, "utf8").trim();
      const { port } = daemonFile();
      return exchange({ host: "127.0.0.1", port }, method, path, body, {
        authorization: `Bearer ${token}`,
        ...headers,
      });
    },
    query<T>(sql: string, ...values: (string | number)[]): T[] {
      database ??= openDatabase(home.database, { readOnly: true });
      return database.all<T>(sql, ...values);
    },
    async close() {
      database?.close();
      const ours = await processesMentioning(folder);
      const pid = readPid(home.daemonFile);
      const daemon = ours.find((each) => each.pid === pid);
      // A daemon without children is killed, which takes less time.
      const isAlone = daemon && !ours.some(({ parentPid }) => parentPid === daemon.pid);
      if (isAlone && existsSync(home.run)) writeFileSync(home.stoppedByUser, "");
      else if (ours.length > 0) await rookery.cli("stop");
      // All of them: one that lost the race for the lock may still be starting, and would start in the deleted home.
      const daemons = ours.filter(({ command }) => command.includes("daemon.js")).map(({ pid }) => pid);
      for (const each of daemons) signalProcess(each, "SIGKILL");
      await waitUntilGone(daemons);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return rookery;
}

function readPid(daemonFile: string): number | undefined {
  try {
    return JSON.parse(readFileSync(daemonFile, "utf8")).pid;
  } catch {
    return undefined; // None was started.
  }
}

export function runProcess(
  command: string,
  args: string[],
  input: string | Uint8Array,
  env: Record<string, string>,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    child.stdin.on("error", () => {}); // It exited without reading everything; the exit code covers that.
    child.stdin.end(input);
  });
}

/** Only TCP identifies the caller, which must belong to the session. */
function namesSession(path: string, body: unknown): boolean {
  if (path.startsWith("/api/hooks/")) return true;
  const names =
    path === "/api/questions" || path === "/api/notices" ? ["pid", "agent"] : ["hostPid", "claudePid"];
  const isNamed = typeof body === "object" && body !== null && names.some((name) => name in body);
  return isNamed || /^\/api\/(leases|deliveries)\/.*[?&]pid=/.test(path);
}

/** A payload as Claude Code sends it. */
export function makePayload(event: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return { session_id: "s-1", cwd: tmpdir(), hook_event_name: event, prompt_id: "p-1", ...fields };
}
