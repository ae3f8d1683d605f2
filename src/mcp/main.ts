import type { StartOptions } from "../client/start.ts";
import { superviseDaemon } from "../client/supervise.ts";
import type { Log } from "../shared/log.ts";
import { converse, type Handover } from "./handover.ts";
import { makeMcpServer } from "./server.ts";
import { tools } from "./tools.ts";

interface McpMain {
  startOptions: StartOptions;
  hostPid: number;
  /** The argument that names the session of a call, if one server serves many sessions. */
  sessionArgument?: string | undefined;
  version: string;
  log: Log;
  handover: Handover;
}

/** Serves MCP on stdio until the host closes it, and supervises the daemon. */
export async function serveMcp(options: McpMain): Promise<void> {
  const { startOptions, hostPid, sessionArgument, version, log, handover } = options;
  const supervision = superviseDaemon(startOptions, log);
  const { address, home } = startOptions;
  const context = { address: { ...address, daemonFile: home.daemonFile }, hostPid };
  const waitForDaemon = supervision.ready;
  const server = makeMcpServer({ version, tools, context, sessionArgument, waitForDaemon });
  await converse(server, handover);
  supervision.stop();
}
