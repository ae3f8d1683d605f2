import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { instructions, listTools } from "./server.ts";
import { tools } from "./tools.ts";

/** The lines from which `plugin/mcp/greet.sh` builds its answers to `initialize` and `tools/list`. */
export function makeGreeting(version: string): string {
  const initialized = {
    capabilities: { tools: {} },
    serverInfo: { name: "rookery", title: "Rookery", version },
    instructions,
  };
  const lines = [
    SUPPORTED_PROTOCOL_VERSIONS.join(" "),
    LATEST_PROTOCOL_VERSION,
    JSON.stringify(initialized).slice(1, -1),
    JSON.stringify(listTools(tools)),
  ];
  return `${lines.join("\n")}\n`;
}
