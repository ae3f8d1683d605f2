import { readFileSync } from "node:fs";
import { join } from "node:path";
import { install as host } from "../hosts/claude-code/install.ts";
import { parseJson } from "../shared/json.ts";

/** What the plugin tells Claude Code, with its variable for the plugin's folder filled in: for settings, which have none. */
export interface Entries {
  /** Per event its matchers with their handlers. */
  hooks: Record<string, unknown[]>;
  server: Record<string, unknown>;
}

/** Of the plugin in one folder, to be run from another. */
export function readEntries(pluginRoot: string, staged: string): Entries {
  const read = (...path: string[]): unknown =>
    parseJson(readFileSync(join(pluginRoot, ...path), "utf8"), {
      reviver: (_key, value) =>
        typeof value === "string" ? value.replaceAll(host.pluginRootVariable, () => staged) : value,
    });
  const { hooks } = read("hooks", "hooks.json") as Pick<Entries, "hooks">;
  const { mcpServers } = read(".mcp.json") as { mcpServers: { rookery: Entries["server"] } };
  return { hooks, server: mcpServers.rookery };
}
