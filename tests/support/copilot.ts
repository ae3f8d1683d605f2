import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type HostWorld, openHostWorld } from "./host-world.ts";
import { repository, type Ran } from "./rookery.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const copilot = join(repository, "tests", "tools-long", "node_modules", ".bin", "copilot");

export interface CopilotWorld extends HostWorld {
  /** One prompt through `copilot -p`, with all tools allowed. */
  prompt(text: string, ...args: string[]): Promise<Ran>;
  /** A session in a terminal, returned when its prompt is ready. The person lets our extension answer requests, or not. */
  interactive(answer?: "Yes" | "No"): Promise<Terminal>;
}

/** The real Copilot CLI with a custom model. Its shell tool is `bash {command, description}`. */
export async function openCopilotWorld(): Promise<CopilotWorld> {
  const world = await openHostWorld();
  const { root, home, project, env, model } = world;
  // On PATH like a user's: copies in node_modules are ignored.
  mkdirSync(join(root, "bin"));
  symlinkSync(copilot, join(root, "bin", "copilot"));
  env.PATH = [join(root, "bin"), env.PATH].join(delimiter);
  Object.assign(env, {
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_BASE_URL: `${model.url}/v1`,
    COPILOT_PROVIDER_API_KEY: "fake",
    COPILOT_MODEL: "fake",
  });
  mkdirSync(join(home, ".copilot"));
  writeFileSync(join(home, ".copilot", "config.json"), JSON.stringify({ trustedFolders: [project] }));
  const options = ["--allow-all-tools", "--output-format", "json"];
  return {
    ...world,
    prompt: (text, ...args) => world.run(copilot, "-p", text, ...options, ...args),
    async interactive(answer = "Yes") {
      const command = [copilot, "--experimental"];
      const name = `copilot-${answer}`;
      const terminal = await openTerminal({ directory: root, name, command, env, cwd: project });
      await terminal.waitForScreen('Extension "user:rookery" wants elevated permissions');
      await terminal.answer("wants elevated permissions", answer === "Yes" ? "Enter" : "Escape");
      await terminal.waitForScreen("❯");
      return terminal;
    },
  };
}
