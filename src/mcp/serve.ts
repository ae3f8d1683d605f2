import { PassThrough, type Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { superviseDaemon } from "../client/supervise.ts";
import type { Handover } from "./greet.ts";
import type { McpMain } from "./main.ts";
import { makeMcpServer } from "./server.ts";
import { tools } from "./tools.ts";

interface McpServer {
  /** Continues a conversation that was begun without the server. Resolves when the host closes it. */
  serve(handover: Handover, input: Readable, output: Writable): Promise<void>;
  stop(): void;
}

/** The tools, and the supervision of the daemon. */
export function openServer({ startOptions, hostPid, sessionArgument, version, log }: McpMain): McpServer {
  const supervision = superviseDaemon(startOptions, log);
  const { address, home } = startOptions;
  const context = { address: { ...address, daemonFile: home.daemonFile }, hostPid };
  const server = makeMcpServer({
    version,
    tools,
    context,
    sessionArgument,
    waitForDaemon: supervision.ready,
  });
  return {
    async serve({ answered, rest }, input, output) {
      const replayed = new PassThrough();
      const isInitialized = answered.some((line) => line.includes('"initialize"'));
      await server.connect(
        new StdioServerTransport(replayed, isInitialized ? dropFirstMessage(output) : output),
      );
      for (const line of answered) replayed.write(`${line}\n`);
      replayed.write(rest);
      const closed = new Promise<void>((resolve) => {
        server.onclose = resolve;
        // The host ended, perhaps by kill -9: the closed pipe is the only signal.
        input.once("end", resolve).once("close", resolve);
      });
      input.pipe(replayed);
      await closed;
    },
    stop: supervision.stop,
  };
}

/** The server's answer to `initialize`, which the host has already. Each message is one write. */
function dropFirstMessage(output: Writable): Writable {
  let isFirst = true;
  return new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      if (isFirst) done();
      else output.write(chunk, done);
      isFirst = false;
    },
  });
}
