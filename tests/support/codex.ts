import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type HostWorld, openHostWorld } from "./host-world.ts";
import { processesMentioning, signalProcess } from "./processes.ts";
import { repository, type Ran } from "./rookery.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const codex = join(repository, "tests", "tools", "node_modules", ".bin", "codex");

export interface CodexWorld extends HostWorld {
  cli(...args: string[]): Promise<Ran>;
  /** One prompt through `codex exec`, with all hooks trusted. */
  prompt(text: string): Promise<Ran>;
  /** The next prompt of a session. */
  resume(sessionId: string, text: string): Promise<Ran>;
  /** A session in a terminal, returned when its prompt is ready. Its hooks are trusted. */
  interactive(): Promise<Terminal>;
  /** The same in Codex's background process, as Codex starts it on its own; the person trusts the hooks. */
  sharing(): Promise<Terminal>;
  /** Ends the background process, which outlives its terminals. */
  endShared(): Promise<void>;
}

/** The real Codex CLI. Its shell tool is `exec_command {cmd}`. */
export async function openCodexWorld(more: Record<string, string> = {}): Promise<CodexWorld> {
  const world = await openHostWorld(more);
  const { root, home, project, env, model } = world;
  env.MODEL_KEY = "fake";
  // On PATH like a user's: copies in node_modules are ignored.
  mkdirSync(join(root, "bin"));
  symlinkSync(codex, join(root, "bin", "codex"));
  env.PATH = [join(root, "bin"), env.PATH].join(delimiter);
  mkdirSync(join(home, ".codex"));
  const config = [
    'model = "fake"',
    'model_provider = "fake"',
    "[model_providers.fake]",
    'name = "fake"',
    `base_url = "${model.url}/v1"`,
    'wire_api = "responses"',
    'env_key = "MODEL_KEY"',
    "request_max_retries = 0",
    "stream_max_retries = 0",
    `[projects."${project}"]`,
    'trust_level = "trusted"',
  ];
  writeFileSync(join(home, ".codex", "config.toml"), `${config.join("\n")}\n`);
  const cli = (...args: string[]): Promise<Ran> => world.run(codex, ...args);
  const options = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-s", "danger-full-access"];
  return {
    ...world,
    cli,
    prompt: (text) => cli("exec", "--json", ...options, text),
    async interactive() {
      // Without its background process, which would outlive the terminal.
      const alone = ["-c", "features.daemon_auto_start=false", "-s", "workspace-write", "-a", "on-request"];
      const command = [codex, "--dangerously-bypass-hook-trust", ...alone];
      const terminal = await openTerminal({ directory: root, name: "codex", command, env, cwd: project });
      await terminal.waitForScreen("Ask Codex to do anything");
      return terminal;
    },
    async sharing() {
      const terminal = await openTerminal({
        directory: root,
        name: "codex",
        command: [codex],
        env,
        cwd: project,
      });
      await terminal.waitForScreen("Hooks need review");
      await terminal.answer("› 1. Review hooks", "2");
      await terminal.answer("Hooks need review", "Enter");
      await terminal.waitForScreen("Ask Codex to do anything");
      return terminal;
    },
    async endShared() {
      await cli("app-server", "daemon", "stop");
      // Looks for updates; `stop` leaves it running.
      for (const { pid, command } of await processesMentioning(root))
        if (command.includes("pid-update-loop")) signalProcess(pid, "SIGTERM");
    },
    resume: (sessionId, text) => cli("exec", "--json", ...options, "resume", sessionId, text),
  };
}
