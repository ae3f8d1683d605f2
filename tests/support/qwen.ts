import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { type HostWorld, openHostWorld } from "./host-world.ts";
import { repository, type Ran } from "./rookery.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const qwen = join(repository, "tests", "tools-long", "node_modules", ".bin", "qwen");

export interface QwenWorld extends HostWorld {
  settings: string;
  /** One prompt through `qwen -p`, with all tools allowed. */
  prompt(text: string, ...args: string[]): Promise<Ran>;
  /** A session in a terminal, returned when its prompt is ready. It asks before it runs a command. */
  interactive(): Promise<Terminal>;
}

/** The real Qwen Code with a custom model. Its shell tool is `run_shell_command {command, is_background}`. */
export async function openQwenWorld(): Promise<QwenWorld> {
  const world = await openHostWorld();
  const { root, home, env, model } = world;
  mkdirSync(join(root, "bin"));
  symlinkSync(qwen, join(root, "bin", "qwen"));
  // It needs Node 22 or newer; the machine's own may be older.
  env.PATH = [join(root, "bin"), dirname(process.execPath), env.PATH].join(delimiter);
  Object.assign(env, {
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: "fake",
    OPENAI_MODEL: "fake",
  });
  const settings = join(home, ".qwen", "settings.json");
  mkdirSync(join(home, ".qwen"));
  writeFileSync(
    settings,
    `${JSON.stringify({ security: { auth: { selectedType: "openai" } }, $version: 4, telemetry: { enabled: false } }, null, 4)}\n`,
  );
  return {
    ...world,
    settings,
    prompt: (text, ...args) => world.run(qwen, "--yolo", "-o", "stream-json", "-p", text, ...args),
    async interactive() {
      const command = [qwen, "--approval-mode", "default"];
      const terminal = await openTerminal({
        directory: root,
        name: "qwen",
        command,
        env,
        cwd: world.project,
      });
      await terminal.waitForScreen("Type your message");
      return terminal;
    },
  };
}
