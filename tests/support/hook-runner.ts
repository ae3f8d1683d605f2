import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { afterAll, expect } from "vitest";
import { parseSpoolName } from "../../src/protocol/spool-name.ts";
import { type FakeBell, openFakeBell, type Peer } from "./fake-bell.ts";
import { processesMentioning, signalProcess, waitFor } from "./processes.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Simulates the limits of bash 3.2, taken from its source (builtins/read.def): no EPOCHREALTIME; `read` has neither -N nor
 * -i, only accepts whole seconds, fails immediately for 0, and after a timeout returns 1 and leaves the variable unchanged.
 * It is not a real 3.2 (macOS); a test in hook-rules.test.ts covers the syntax that 3.2 cannot parse.
 */
const bash32 = `
unset EPOCHREALTIME
read() {
  local _option _timeout= _status _name _before OPTIND=1 OPTARG
  while getopts :ersa:d:n:p:t:u:N:i: _option; do
    case $_option in
      N | i | '?') builtin printf 'read: -%s: invalid option\\n' "$_option" >&2; return 2 ;;
      t)
        case $OPTARG in '' | *[!0-9]*) echo "read: $OPTARG: invalid timeout specification" >&2; return 1 ;; esac
        [ "$OPTARG" -eq 0 ] && return 1 ;;
    esac
  done
  _name=\${!#} _before=\${!_name}
  builtin read "$@"
  _status=$?
  [ $_status -gt 128 ] && builtin printf -v "$_name" %s "$_before" && return 1
  return $_status
}
`;

interface HookRunner {
  name: "bash" | "bash 3.2, emulated" | "node leaf";
  script: "hooks/hook.sh" | "dist/hook-leaf.js";
  /** Source text for BASH_ENV. */
  prelude: string;
}

export const shellRunners: HookRunner[] = [
  { name: "bash", script: "hooks/hook.sh", prelude: "" },
  { name: "bash 3.2, emulated", script: "hooks/hook.sh", prelude: bash32 },
];
export const hookRunners: HookRunner[] = [
  ...shellRunners,
  { name: "node leaf", script: "dist/hook-leaf.js", prelude: "" },
];

interface HookOptions {
  home: string;
  payload?: string | Uint8Array;
  env?: Record<string, string | undefined>;
  /** Shell code to run before the hook, in the same process. */
  before?: string;
  /** More source text for BASH_ENV. */
  prelude?: string;
  asNobody?: boolean;
}

interface HookRun {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  /** True if it exited before reading all of its stdin. */
  brokeStdin: boolean;
}

export interface RunningHook {
  child: ChildProcess;
  pid: number;
  stdin: NodeJS.WritableStream;
  /** The output so far. */
  printed(): string;
  done: Promise<HookRun>;
}

interface HookStage {
  root: string;
  /** A path for a ROOKERY_HOME that does not exist yet. */
  newHome(name?: string): string;
  openBell(home: string, peer?: Peer): Promise<FakeBell>;
  start(runner: HookRunner, script: string, args: string[], options: HookOptions): RunningHook;
  run(runner: HookRunner, event: string, options: HookOptions): Promise<HookRun>;
  spawnStandIn(): { pid: number; kill(signal: NodeJS.Signals): void };
}

/** A copy of the plugin in a temporary folder; everything started from it is ended after the test file. */
export function openHookStage(): HookStage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "rookery-hook-")));
  chmodSync(root, 0o755); // One test runs as another user.
  const plugin = join(root, "plugin");
  for (const folder of ["hooks", "monitors", "dist", "bin", "user"])
    mkdirSync(join(plugin, folder), { recursive: true });
  for (const script of ["hooks/hook.sh", "hooks/wait.sh", "hooks/listen.sh", "monitors/wake.sh"])
    copyFileSync(join(repository, "plugin", script), join(plugin, script));
  writeFileSync(join(plugin, "package.json"), '{"type":"module"}');
  buildSync({
    entryPoints: [join(repository, "src/bin/hook-leaf.ts")],
    outfile: join(plugin, "dist/hook-leaf.js"),
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const running = new Set<ChildProcess>();
  const bells = new Set<FakeBell>();
  let count = 0;

  function track(child: ChildProcess): number {
    running.add(child);
    child.on("exit", () => running.delete(child));
    if (child.pid === undefined) throw new Error("the process did not start");
    return child.pid;
  }

  function start(runner: HookRunner, script: string, args: string[], options: HookOptions): RunningHook {
    const shell = script.endsWith(".sh");
    const prelude = runner.prelude + (options.prelude ?? "");
    // Executed directly, the script ignores BASH_ENV: only `bash SCRIPT` reads a prelude.
    const interpreter = shell ? (prelude ? ["bash"] : []) : [process.execPath];
    const command = [...interpreter, join(plugin, script), ...args];
    if (options.before) command.unshift("bash", "-c", `${options.before}; exec "$@"`, "-");
    const preludeFile = join(root, `prelude-${count++}.sh`);
    if (shell && prelude) writeFileSync(preludeFile, prelude);
    const [file = "", ...rest] = command;
    const child = spawn(file, rest, {
      cwd: root,
      env: {
        PATH: "/usr/local/bin:/usr/bin:/bin",
        HOME: join(plugin, "user"),
        LANG: "C.UTF-8",
        ROOKERY_HOME: options.home,
        CLAUDE_PID: "4242",
        ...(shell && prelude ? { BASH_ENV: preludeFile } : {}),
        ...options.env,
      },
      stdio: ["pipe", "pipe", "pipe"],
      ...(options.asNobody ? { uid: 65_534, gid: 65_534 } : {}),
    });
    const pid = track(child);
    const out = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    child.stdout.on("data", (chunk: Buffer) => out.stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => out.stderr.push(chunk));
    let brokeStdin = false;
    child.stdin.on("error", () => {
      brokeStdin = true;
    });
    const printed = (): string => Buffer.concat(out.stdout).toString();
    const done = new Promise<HookRun>((resolve) => {
      child.on("close", (code, signal) =>
        resolve({
          code,
          signal,
          stdout: printed(),
          stderr: Buffer.concat(out.stderr).toString(),
          brokeStdin,
        }),
      );
    });
    return { child, pid, stdin: child.stdin, printed, done };
  }

  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await Promise.all([...bells].map((bell) => bell.close()));
    await waitFor(async () => (await processesMentioning(root)).length === 0, {
      describe: async () => `processes of ${root} to end: ${JSON.stringify(await processesMentioning(root))}`,
    });
    rmSync(root, { recursive: true, force: true });
  });

  return {
    root,
    newHome: (name = `home-${count++}`) => join(root, name),
    async openBell(home, peer) {
      const bell = await openFakeBell(home, peer);
      bells.add(bell);
      return bell;
    },
    start,
    run(runner, event, options) {
      const hook = start(runner, runner.script, [event], options);
      hook.stdin.end(options.payload ?? "");
      return hook.done;
    },
    spawnStandIn() {
      const child = spawn("tail", ["-f", "/dev/null"], { cwd: root, stdio: "ignore" });
      const pid = track(child);
      return { pid, kill: (signal) => void signalProcess(pid, signal) };
    },
  };
}

/** A user's shell setup that would print into every session and change every payload. */
export function makeShellSetup(root: string): Record<string, string> {
  const file = join(root, "bash-env.sh");
  writeFileSync(file, "echo printed by BASH_ENV\ncat() { printf garbled; }\n");
  const garble = "() { builtin printf garbled; }";
  return {
    BASH_ENV: file,
    ENV: file,
    SHELLOPTS: "braceexpand:errexit:hashall:nounset:xtrace",
    ...Object.fromEntries(["cat", "read", "printf", "kill"].map((name) => [`BASH_FUNC_${name}%%`, garble])),
  };
}

/** The files in the spool, oldest first, as latin1 text that preserves every byte. */
export function listSpool(home: string): { event: string; content: string }[] {
  if (!existsSync(join(home, "spool"))) return [];
  return readdirSync(join(home, "spool")).map((name) => ({
    event: parseSpoolName(name)?.event ?? `not a spool name: ${name}`,
    content: readFileSync(join(home, "spool", name), "latin1"),
  }));
}

/** The contract of every hook: exit 0, exactly this on stdout, nothing on stderr. */
export function expectHook(run: HookRun, stdout = ""): void {
  const { code, signal, stderr } = run;
  expect({ code, signal, stdout: run.stdout, stderr }).toEqual({ code: 0, signal: null, stdout, stderr: "" });
}

export function expectSpool(home: string, ...events: [event: string, payload: string][]): void {
  const expected = events.map(([event, payload]) => ({ event, content: `4242\n${payload}` }));
  expect(listSpool(home)).toEqual(expected);
}
