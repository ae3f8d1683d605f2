import { existsSync, readFileSync } from "node:fs";
import type { StartOptions } from "../client/start.ts";
import { parseJson } from "../shared/json.ts";
import type { Log } from "../shared/log.ts";
import { greet } from "./greet.ts";
import type { Greeting } from "./greeting.ts";

export interface McpMain {
  startOptions: StartOptions;
  hostPid: number;
  /** The argument that names the session of a call, if one server serves many sessions. */
  sessionArgument?: string | undefined;
  version: string;
  log: Log;
  /** The file with the answers to a host's first requests. */
  greeting: URL;
}

/** A session has started by then. */
const superviseAfterMs = 3_000;

/** Serves MCP on stdio until the host closes it. The server is loaded when it is needed. */
export async function serveMcp(options: McpMain): Promise<void> {
  const open = async () => (await import("./serve.ts")).openServer(options);
  let opened: ReturnType<typeof open> | undefined;
  const isUp = existsSync(options.startOptions.home.daemonFile);
  const supervise = setTimeout(() => void (opened ??= open()), isUp ? superviseAfterMs : 0);
  const greeting = parseJson(readFileSync(options.greeting, "utf8")) as Greeting;
  const handover = await greet(process.stdin, process.stdout, greeting);
  clearTimeout(supervise);
  if (handover) await (await (opened ??= open())).serve(handover, process.stdin, process.stdout);
  (await opened)?.stop();
}
