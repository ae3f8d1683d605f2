import { fileURLToPath } from "node:url";
import { readForeignEnvironment } from "../config/environment.ts";
import { openHookClient } from "../host-plugin/hook-client.ts";
import { plugins } from "../hosts/plugins.ts";

/** Set by the build, which makes one file for each host in `plugins`. */
declare const HOST: keyof typeof plugins;
const { open, isChild } = plugins[HOST];

/** The host loads this file as a plugin; every export must be one. */
export async function RookeryPlugin(input: never): Promise<ReturnType<typeof open>> {
  const launcher = fileURLToPath(new URL("../bin/rookery", import.meta.url));
  const hostPid = isChild ? process.ppid : process.pid;
  const hooks = openHookClient({ host: HOST, hostPid, environment: readForeignEnvironment(), launcher });
  const plugin = open(input, { hooks, args: process.argv.slice(2), exit: () => process.exit() });
  // A host does not always dispose of its plugins; a second end of the same session changes nothing.
  process.once("exit", () => void plugin.dispose());
  return plugin;
}
