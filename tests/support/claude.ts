import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type ModelServer, openModelServer } from "./model-server.ts";
import { describeProcesses, processesMentioning, signalProcess, waitFor } from "./processes.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

export const claudeProgram = fileURLToPath(new URL("../tools/node_modules/.bin/claude", import.meta.url));
const API_KEY = "sk-fake-test";
const RUN_TIMEOUT_MS = 60_000;
/** Time for hooks, monitors and MCP servers to exit after their session. */
const GRACE_MS = 30_000;
const run = promisify(execFile);

interface ClaudeWorldOptions {
  /** Loaded with `--plugin-dir` in every run and session. Leave out to install it as a user would, with `cli`. */
  pluginDir?: string;
  env?: Record<string, string>;
  /** Written to HOME/.claude/settings.json, which otherwise does not exist. */
  settings?: object;
}

interface Finished {
  /** Null when a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
}

interface FinishedRun extends Finished {
  // biome-ignore lint/suspicious/noExplicitAny: stream-json lines, which tests read freely
  lines: any[];
  sessionId: string | undefined;
}

export interface ClaudeWorld {
  home: string;
  project: string;
  /** The complete environment of every process of this world; nothing of the developer's own leaks in. */
  env: Record<string, string>;
  model: ModelServer;
  /** One prompt through `claude -p`. */
  run(prompt: string, args?: string[]): Promise<FinishedRun>;
  /** Any other subcommand, such as `plugin list --json`. */
  cli(args: string[]): Promise<Finished>;
  /** A session in a terminal, returned when its prompt is ready. */
  interactive(args?: string[]): Promise<Terminal>;
  /** Ends everything it started. Kills processes of this world that survive, and throws with their names. */
  close(): Promise<void>;
}

/** The real CLI with its own home, git project and scripted model: no account, no network except loopback. */
export async function openClaudeWorld(options: ClaudeWorldOptions = {}): Promise<ClaudeWorld> {
  // Not os.tmpdir(): socket paths must stay short.
  const root = await realpath(await mkdtemp("/tmp/rk-"));
  const model = await openModelServer();
  const home = join(root, "home");
  const project = join(root, "project");
  const env = { ...makeEnv(root, home, model.url), ...options.env };
  await mkdir(join(root, "tmp"));
  await writeHome(home, project, options.settings);
  await writeProject(project, env);

  const runs = new Map<ChildProcess, Promise<Finished>>();
  const terminals: Terminal[] = [];
  const pluginArgs = options.pluginDir ? ["--plugin-dir", options.pluginDir] : [];

  function cli(args: string[]): Promise<Finished> {
    const child = spawn(claudeProgram, args, { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
    const outcome = collect(child, args).finally(() => runs.delete(child));
    runs.set(child, outcome);
    return outcome;
  }

  let closing: Promise<void> | undefined;
  async function closeAll(): Promise<void> {
    for (const child of runs.keys()) child.kill("SIGTERM");
    const errors = [
      ...(await errorsOf([...runs.values(), ...terminals.map((terminal) => terminal.close())])),
      ...(await errorsOf([endSurvivors(root)])),
      ...(await errorsOf([model.close()])),
      ...(await errorsOf([rm(root, { recursive: true, force: true, maxRetries: 3 })])),
    ];
    if (errors.length > 0) throw new AggregateError(errors, errors.map(String).join("\n"));
  }

  return {
    home,
    project,
    env,
    model,
    cli,
    async run(prompt, args = []) {
      const format = ["--output-format", "stream-json", "--verbose"];
      const finished = await cli(["-p", prompt, ...format, ...pluginArgs, ...args]);
      const lines = finished.stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      return { ...finished, lines, sessionId: lines.find((line) => line.session_id)?.session_id };
    },
    async interactive(args = []) {
      const terminal = await openTerminal({
        directory: root,
        name: String(terminals.length),
        // In the default mode, auto, the CLI would ask the model instead of showing its permission dialog.
        command: [claudeProgram, "--permission-mode", "manual", ...pluginArgs, ...args],
        env,
        cwd: project,
      });
      terminals.push(terminal);
      await terminal.waitForScreen(/^❯/m);
      return terminal;
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}

function makeEnv(root: string, home: string, modelUrl: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: home,
    TMPDIR: join(root, "tmp"),
    TERM: "xterm",
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: API_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
  };
}

/** A home whose owner has been through every first-start dialog: onboarding, API key, trust in the project. */
async function writeHome(home: string, project: string, settings?: object): Promise<void> {
  await mkdir(join(home, ".claude"), { recursive: true });
  const state = {
    hasCompletedOnboarding: true,
    theme: "dark",
    numStartups: 5,
    customApiKeyResponses: { approved: [API_KEY.slice(-20)], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  await writeFile(join(home, ".claude.json"), JSON.stringify(state));
  if (settings) await writeFile(join(home, ".claude/settings.json"), JSON.stringify(settings));
}

async function writeProject(project: string, env: Record<string, string>): Promise<void> {
  await mkdir(join(project, "src"), { recursive: true });
  await writeFile(join(project, "README.md"), "# Sample\n\nA small project.\n");
  await writeFile(join(project, "src/greet.js"), "export const greet = (name) => `Hello, ${name}`;\n");
  await writeFile(
    join(project, "src/main.js"),
    'import { greet } from "./greet.js";\n\nconsole.log(greet("you"));\n',
  );
  const git = (...args: string[]) => run("git", args, { cwd: project, env });
  await git("init", "--quiet", "--initial-branch=main");
  await git("config", "user.name", "Sample");
  await git("config", "user.email", "sample@example.invalid");
  await git("add", "--all");
  await git("commit", "--quiet", "--message=First commit");
}

async function collect(child: ChildProcess, args: string[]): Promise<Finished> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk));
  try {
    // "close" also waits for processes that inherited the output: a daemon that keeps it open would hang a real caller too.
    const [code] = await once(child, "close", { signal: AbortSignal.timeout(RUN_TIMEOUT_MS) });
    return { code, stdout, stderr };
  } catch (cause) {
    child.kill("SIGKILL");
    const shown = `${stdout.slice(-2000)}\n${stderr.slice(-2000)}`;
    throw new Error(`claude ${args.join(" ")} not over after ${RUN_TIMEOUT_MS} ms:\n${shown}`, { cause });
  }
}

/** Finds processes by the world's root in their environment (HOME), even if they were reparented. */
export async function endSurvivors(root: string): Promise<void> {
  const gone = async () => (await processesMentioning(root)).length === 0;
  await waitFor(gone, { timeoutMs: GRACE_MS }).catch(async () => {
    const survivors = await processesMentioning(root);
    for (const { pid } of survivors) signalProcess(pid, "SIGKILL");
    if (survivors.length === 0) return;
    throw new Error(`Still running after close, now killed:\n${describeProcesses(survivors)}`);
  });
}

async function errorsOf(tasks: Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(tasks);
  return settled.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
}
