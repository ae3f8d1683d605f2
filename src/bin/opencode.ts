import { fileURLToPath } from "node:url";
import { readForeignEnvironment } from "../config/environment.ts";
import { openHookClient } from "../host-plugin/hook-client.ts";
import { makeOpenCodeHooks } from "../host-plugin/opencode.ts";
import type { Hooks, PluginInput } from "../host-plugin/opencode-api.ts";

/** OpenCode loads this file as a plugin; every export must be one. */
export async function RookeryPlugin(input: PluginInput): Promise<Hooks> {
  const launcher = fileURLToPath(new URL("../bin/rookery", import.meta.url));
  const hooks = openHookClient({ host: "opencode", environment: readForeignEnvironment(), launcher });
  const plugin = makeOpenCodeHooks({ input, hooks, isInteractive: process.argv[2] !== "run" });
  // OpenCode does not always dispose of its plugins; a second end of the same session changes nothing.
  process.once("exit", () => void plugin.dispose());
  return plugin;
}
