import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Stopwatch } from "./stopwatch.ts";

interface HooksFile {
  hooks: Record<string, { hooks: { command: string; args: string[] }[] }[]>;
}

/** The baselines. */
export const emptyBash = "bash -c :";
export const emptyNode = "node -e 0";

/** Registers the two baselines and every hook of hooks.json with the stopwatch; returns the events in order. */
export function knowHooks(stopwatch: Stopwatch, plugin: string): string[] {
  const fill = (text: string): string => text.replaceAll("${CLAUDE_PLUGIN_ROOT}", plugin);
  const { hooks } = JSON.parse(readFileSync(join(plugin, "hooks", "hooks.json"), "utf8")) as HooksFile;
  for (const [event, [matcher]] of Object.entries(hooks)) {
    const hook = matcher?.hooks[0];
    if (!hook) throw new Error(`hooks.json has no command for ${event}`);
    stopwatch.know(event, [fill(hook.command), ...hook.args.map(fill)]);
  }
  stopwatch.know("empty-bash", ["bash", "-c", ":"]);
  stopwatch.know("empty-node", ["node", "-e", "0"]);
  return Object.keys(hooks);
}
