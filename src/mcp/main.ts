import { PassThrough, type Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { StartOptions } from "../client/start.ts";
import { superviseDaemon } from "../client/supervise.ts";
import { parseJson } from "../shared/json.ts";
import type { Log } from "../shared/log.ts";
import { makeMcpServer } from "./server.ts";
import { tools } from "./tools.ts";

/** The conversation so far, which `plugin/mcp/greet.sh` read. */
export interface Handover {
  /** Whether it answered `initialize`, the first line. */
  isGreeted: boolean;
  text: string;
}

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
  const lines = handover.text.split("\n").filter(Boolean);
  const toHost = handover.isGreeted ? dropAnswer(process.stdout, readId(lines[0])) : process.stdout;
  await serve(server, lines, process.stdin, toHost);
  supervision.stop();
}

async function serve(
  server: ReturnType<typeof makeMcpServer>,
  lines: readonly string[],
  input: Readable,
  output: Writable,
): Promise<void> {
  const replayed = new PassThrough();
  await server.connect(new StdioServerTransport(replayed, output));
  for (const line of lines) replayed.write(`${line}\n`);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    // The host ended, perhaps by kill -9: the closed pipe is the only signal.
    input.once("end", resolve).once("close", resolve);
  });
  input.pipe(replayed);
  await closed;
}

/**
 * Leaves out the answer to `initialize`, which the host has already. Other answers may come before it. Each message is
 * one write.
 */
function dropAnswer(output: Writable, id: unknown): Writable {
  let isDropped = false;
  return new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      if (isDropped || readId(chunk) !== id) output.write(chunk, done);
      else {
        isDropped = true;
        done();
      }
    },
  });
}

function readId(message = ""): unknown {
  return (parseJson(message) as { id?: unknown }).id;
}
