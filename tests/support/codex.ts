import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type HostWorld, openHostWorld } from "./host-world.ts";
import { repository, type Ran } from "./rookery.ts";

const codex = join(repository, "tests", "tools", "node_modules", ".bin", "codex");

export interface CodexWorld extends HostWorld {
  cli(...args: string[]): Promise<Ran>;
  /** One prompt through `codex exec`, with all hooks trusted. */
  prompt(text: string): Promise<Ran>;
}

/** The real Codex CLI. Its shell tool is `exec_command {cmd}`. */
export async function openCodexWorld(): Promise<CodexWorld> {
  const world = await openHostWorld();
  const { home, project, env, model } = world;
  env.MODEL_KEY = "fake";
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
  return { ...world, cli, prompt: (text) => cli("exec", "--json", ...options, text) };
}
