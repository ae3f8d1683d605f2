import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { type HostWorld, openHostWorld } from "./host-world.ts";
import { repository, type Ran } from "./rookery.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const gemini = join(repository, "tests", "tools-long", "node_modules", ".bin", "gemini");

export interface GeminiWorld extends HostWorld {
  settings: string;
  /** One prompt through `gemini -p`, with all tools allowed. */
  prompt(text: string): Promise<Ran>;
  /** A session in a terminal, returned when its prompt is ready. It asks before it runs a command. */
  interactive(): Promise<Terminal>;
}

/** The real Gemini CLI with a scripted model. Its shell tool is `run_shell_command {command}`. */
export async function openGeminiWorld(): Promise<GeminiWorld> {
  const world = await openHostWorld({ GEMINI_API_KEY: "fake", GEMINI_CLI_TRUST_WORKSPACE: "true" });
  const { root, home, env, model } = world;
  mkdirSync(join(root, "bin"));
  symlinkSync(gemini, join(root, "bin", "gemini"));
  // On the pinned Node, like the other hosts.
  env.PATH = [join(root, "bin"), dirname(process.execPath), env.PATH].join(delimiter);
  env.GOOGLE_GEMINI_BASE_URL = model.url;
  const settings = join(home, ".gemini", "settings.json");
  mkdirSync(join(home, ".gemini"));
  writeFileSync(
    settings,
    `${JSON.stringify({ security: { auth: { selectedType: "gemini-api-key" } }, general: { enableAutoUpdate: false } }, null, 4)}\n`,
  );
  const options = ["-m", "gemini-2.5-pro", "--yolo", "-o", "stream-json"];
  return {
    ...world,
    settings,
    prompt: (text) => world.run(gemini, ...options, "-p", text),
    async interactive() {
      const command = [gemini, "-m", "gemini-2.5-pro"];
      const terminal = await openTerminal({
        directory: root,
        name: "gemini",
        command,
        env,
        cwd: world.project,
      });
      await terminal.waitForScreen("Type your message");
      return {
        ...terminal,
        async close() {
          // It outlives its terminal unless it is told to quit.
          await terminal.submit("/quit");
          await terminal.close();
        },
      };
    },
  };
}
