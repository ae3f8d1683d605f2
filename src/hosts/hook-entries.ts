import type { HostEntry } from "./host.ts";
import { shellQuote } from "../shared/text.ts";

/** Starts the hook without a shell in between, so that the host is its parent. */
export function makeHookCommand(plugin: string, event: string, host: string): string {
  return `exec ${shellQuote(`${plugin}/hooks/hook.sh`)} ${event} ${host}`;
}

/** Hooks in a settings file of Claude Code's form, for hosts that take no arguments. */
export function makeHookEntries(
  names: readonly string[],
  plugin: string,
  host: string,
  timeoutOf: (event: string) => number,
): HostEntry[] {
  return names.map((event) => {
    const handler = {
      type: "command",
      // Shown while the hook runs, by hosts that show hooks; otherwise they show the command.
      name: "Rookery",
      command: makeHookCommand(plugin, event, host),
      timeout: timeoutOf(event),
    };
    return { at: ["hooks", event], isListed: true, value: { hooks: [handler] } };
  });
}

export function makeMcpEntry(plugin: string, more: object = {}): HostEntry {
  const server = { command: "sh", args: [`${plugin}/bin/rookery`, "mcp"], ...more };
  return { at: ["mcpServers", "rookery"], isListed: false, value: server };
}
