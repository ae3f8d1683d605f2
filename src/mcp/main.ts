import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { StartOptions } from "../client/start.ts";
import { superviseDaemon } from "../client/supervise.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { makeMcpServer } from "./server.ts";
import { tools } from "./tools.ts";

interface McpMain {
  startOptions: StartOptions;
  hostPid: number;
  version: string;
  log?: Log;
}

/** Serves MCP on stdio until the host closes it. */
export async function serveMcp({ startOptions, hostPid, version, log = silentLog }: McpMain): Promise<void> {
  const supervision = superviseDaemon(startOptions, log);
  const { address, home } = startOptions;
  const context = { address: { ...address, daemonFile: home.daemonFile }, hostPid };
  const server = makeMcpServer({ version, tools, context, waitForDaemon: supervision.ready });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    // The host ended, perhaps by kill -9: the closed pipe is the only signal.
    process.stdin.once("end", resolve);
    process.stdin.once("close", resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
  supervision.stop();
}
