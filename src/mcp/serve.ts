import { PassThrough, type Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { superviseDaemon } from "../client/supervise.ts";
import { type Handover, parseMessage } from "./greet.ts";
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
      const greeted = answered
        .map((line) => parseMessage(line))
        .find((message) => message?.method === "initialize");
      const toHost = greeted ? dropAnswer(output, greeted.id) : output;
      await server.connect(new StdioServerTransport(replayed, toHost));
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

/**
 * Leaves out the answer to `initialize`, which the host has already. Other answers may come before it. Each message is
 * one write.
 */
function dropAnswer(output: Writable, id: unknown): Writable {
  let isDropped = false;
  return new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      if (isDropped || parseMessage(chunk)?.id !== id) output.write(chunk, done);
      else {
        isDropped = true;
        done();
      }
    },
  });
}
