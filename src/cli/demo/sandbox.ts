import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readDaemonFile } from "../../client/discover.ts";
import { callOverTcp } from "../../client/call-over-tcp.ts";
import type { Call, CallArgument } from "../../client/request.ts";
import { ensureDaemon, stopDaemon } from "../../client/start.ts";
import type { Environment } from "../../config/environment.ts";
import { type Home, locateHome, prepareHome } from "../../config/home.ts";
import type { Host } from "../../hosts/host.ts";
import { defaultHost } from "../../hosts/hosts.ts";
import type { AgentEvent } from "../../protocol/agent-events.ts";
import type { AnswerOf, Endpoint } from "../../protocol/endpoint.ts";
import { isProcessAlive } from "../../shared/processes.ts";
import type { CliContext } from "../command.ts";

/** A temporary home and project with a daemon. The user's own files are not touched. */
export interface Sandbox {
  folder: string;
  home: Home;
  project: string;
  startDaemon(): Promise<void>;
  /** The session with this id, started on first use; in the default host unless another is given. */
  session(id: string, host?: Host): Session;
  call<E extends Endpoint>(endpoint: E, ...call: CallArgument<E>): Promise<AnswerOf<E>>;
  /** Runs a `rookery` command in this home, as from another terminal. */
  rookery(...args: string[]): Promise<Ran>;
  /** Ends the daemon and every other process of this sandbox. */
  close(): Promise<void>;
  remove(): void;
}

/** A scripted session with the real hooks; an idle process replaces claude. */
export interface Session {
  id: string;
  hostPid: number;
  /** Runs the hook as `hooks.json` does; returns its output. */
  hook(event: AgentEvent, fields?: Record<string, unknown>): Promise<string>;
  /** Appends a line to the transcript, as the host does with everything its model is given. */
  write(line: unknown): void;
}

interface Ran {
  code: number | null;
  output: string;
}

/** Variables that programs need to run; the user's settings, keys and sessions are not passed on. */
const inherited = ["PATH", "TMPDIR", "TMP", "TEMP", "LANG", "TZ", "SystemRoot", "XDG_RUNTIME_DIR"];
/** Random ports, to avoid the user's own daemon, and no desktop notifications. */
const settings = { port: 0, matrix: { port: 0 }, desktop: { enabled: "off" } };

export function openSandbox(context: CliContext, projectName: string, signal: AbortSignal): Sandbox {
  // A short name, because socket paths have a length limit.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "rk-demo-")));
  const environment: Record<string, string> = {
    ...pick(context.environment, inherited),
    HOME: folder,
    ROOKERY_HOME: join(folder, "home"),
    ROOKERY_NODE: process.execPath,
  };
  const home = locateHome(environment);
  const project = join(folder, projectName);
  const sessions = new Map<string, Session>();
  const children = new Set<ChildProcess>();

  function start(
    command: string,
    args: string[],
    env: Record<string, string>,
    options: SpawnOptions = {},
  ): ChildProcess {
    signal.throwIfAborted();
    const child = spawn(command, args, { ...options, env, stdio: ["pipe", "pipe", "pipe"] });
    children.add(child);
    child.on("error", () => children.delete(child));
    child.on("close", () => children.delete(child));
    child.stdin.on("error", () => {}); // It exited before reading all input; its output is enough.
    return child;
  }

  async function run(command: string, args: string[], env: Record<string, string>, input = ""): Promise<Ran> {
    const child = start(command, args, env);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    child.stdin?.end(input);
    const [code] = (await once(child, "close", { signal })) as [number | null];
    return { code, output };
  }

  function openSession(id: string, host: Host): Session {
    // `cat` exits when its input closes, even if we are killed. Detached: the terminal stays the person's, not a session's.
    const claude = start("cat", [], environment, { detached: true });
    const hostPid = claude.pid ?? process.pid;
    const transcript = join(folder, `${id}.jsonl`);
    writeFileSync(transcript, "");
    const script = join(context.pluginRoot, "hooks", "hook.sh");
    return {
      id,
      hostPid,
      async hook(event, fields = {}) {
        const name = host.events.nameOf(event) ?? "";
        const about = { session_id: id, cwd: project, transcript_path: transcript, hook_event_name: name };
        const payload = { ...about, permission_mode: "default", ...fields };
        const env = { ...environment, CLAUDE_PID: String(hostPid) };
        const args = host === defaultHost ? [name] : [name, host.name];
        return (await run(script, args, env, JSON.stringify(payload))).output;
      },
      write: (line) => appendFileSync(transcript, `${JSON.stringify(line)}\n`),
    };
  }

  return {
    folder,
    home,
    project,
    async startDaemon() {
      prepareHome(home);
      writeFileSync(home.config, `${JSON.stringify(settings)}\n`, { mode: 0o600 });
      mkdirSync(join(project, ".git"), { recursive: true }); // Enough to be recognised as a repository.
      signal.throwIfAborted();
      await ensureDaemon({ ...context.startOptions, address: home, home, environment });
    },
    session(id, host = defaultHost) {
      const session = sessions.get(id) ?? openSession(id, host);
      sessions.set(id, session);
      return session;
    },
    call<E extends Endpoint>(endpoint: E, ...[call]: CallArgument<E>): Promise<AnswerOf<E>> {
      // Over TCP, where the daemon can see that the sessions are ours.
      return callOverTcp(home, endpoint, { ...call, signal } as Call<E>);
    },
    rookery: (...args) => run("sh", [join(context.pluginRoot, "bin", "rookery"), ...args], environment),
    async close() {
      await Promise.all([...children].map(end));
      const pid = readDaemonFile(home.daemonFile)?.pid;
      if (pid === undefined) return;
      try {
        await stopDaemon({ address: home, home }, "stop");
      } catch {
        // It does not answer: `waitForEnd` kills it.
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

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}

async function waitForEnd(pid: number): Promise<void> {
  for (const until = performance.now() + 5_000; performance.now() < until; await delay(10))
    if (!isProcessAlive(pid)) return;
  process.kill(pid, "SIGKILL");
  while (isProcessAlive(pid)) await delay(10);
}

/** The context in a hook's output; empty if it printed nothing. */
export function contextOf(printed: string, host: Host = defaultHost): string {
  return host.replies.read(printed).context ?? "";
}
