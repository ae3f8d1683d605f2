import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultHost } from "../hosts/hosts.ts";
import { parseJson } from "../shared/json.ts";

const { install: host } = defaultHost;

/** The plugin's hooks and MCP server with its folder filled in, because settings files have no variable for it. */
export interface Entries {
  /** Matchers with their handlers, by event. */
  hooks: Record<string, unknown[]>;
  server: Record<string, unknown>;
}

/** Reads the entries of the plugin in one folder, with paths into another. */
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
