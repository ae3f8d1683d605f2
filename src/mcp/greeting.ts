import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { instructions, listTools } from "./server.ts";
import { tools } from "./tools.ts";

/** The answers to `initialize` and `tools/list`. */
export interface Greeting {
  protocolVersions: string[];
  latestVersion: string;
  initialized: object;
  listed: object;
}

/** Loads every tool, so only the build calls this; at run time, the file that the build writes is read instead. */
export function makeGreeting(version: string): Greeting {
  return {
    protocolVersions: SUPPORTED_PROTOCOL_VERSIONS,
    latestVersion: LATEST_PROTOCOL_VERSION,
    initialized: {
      capabilities: { tools: {} },
      serverInfo: { name: "rookery", title: "Rookery", version },
      instructions,
    },
    listed: listTools(tools),
  };
}
