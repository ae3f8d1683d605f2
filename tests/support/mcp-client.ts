import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { plugin, type Rookery } from "./rookery.ts";

interface McpClient {
  call(name: string, args?: Record<string, unknown>): Promise<{ isError: boolean; text: string }>;
  close(): Promise<void>;
}

/** The SDK's client, connected to our MCP server as a host starts it. */
export async function connectClient(rookery: Rookery): Promise<McpClient> {
  const client = new Client({ name: "test", version: "1" });
  const args = [join(plugin, "bin", "rookery"), "mcp"];
  await client.connect(new StdioClientTransport({ command: "sh", args, env: rookery.env, stderr: "pipe" }));
  return {
    async call(name, args = {}) {
      const result: any = await client.callTool({ name, arguments: args });
      return { isError: result.isError === true, text: result.content[0].text };
    },
    close: () => client.close(),
  };
}
