import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type HostWorld, openHostWorld } from "./host-world.ts";
import { repository, type Ran } from "./rookery.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const opencode = join(repository, "tests", "tools-long", "node_modules", ".bin", "opencode");

export interface OpenCodeWorld extends HostWorld {
  settings: string;
  /** One prompt through `opencode run`. */
  prompt(text: string, ...args: string[]): Promise<Ran>;
  /** A session in a terminal, returned when its prompt is ready. */
  interactive(): Promise<Terminal>;
}

/** The real OpenCode with a custom model. Its shell tool is `bash {command, description}`. */
export async function openOpenCodeWorld(permission: object = {}): Promise<OpenCodeWorld> {
  const world = await openHostWorld();
  const { root, home, project, env, model } = world;
  mkdirSync(join(root, "bin"));
  symlinkSync(opencode, join(root, "bin", "opencode"));
  env.PATH = [join(root, "bin"), env.PATH].join(delimiter);
  Object.assign(env, {
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  });
  const folder = join(home, ".config", "opencode");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  // OpenCode installs this package from the registry before it loads any plugin; ours does not need it.
  const packages = { "": { dependencies: { "@opencode-ai/plugin": "*" } } };
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  const settings = join(folder, "opencode.json");
  const config = {
    $schema: "https://opencode.ai/config.json",
    provider: {
      fake: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${model.url}/v1`, apiKey: "fake" },
        models: { fake: { name: "fake", tool_call: true, limit: { context: 100_000, output: 8_000 } } },
      },
    },
    model: "fake/fake",
    small_model: "fake/fake",
    enabled_providers: ["fake"],
    permission,
  };
  writeFileSync(settings, `${JSON.stringify(config, null, 4)}\n`);
  return {
    ...world,
    settings,
    prompt: (text, ...args) => world.run(opencode, "run", "--format", "json", ...args, text),
    async interactive() {
      const terminal = await openTerminal({
        directory: root,
        name: "opencode",
        command: [opencode],
        env,
        cwd: project,
      });
      await terminal.waitForScreen("Ask anything");
      return terminal;
    },
  };
}
