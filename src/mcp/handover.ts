import { closeSync, readFileSync } from "node:fs";
import { PassThrough, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { parseJson } from "../shared/json.ts";

/** The conversation so far, which `plugin/mcp/greet.sh` read. */
export interface Handover {
  /** Whether it answered `initialize`, the first line. */
  isGreeted: boolean;
  /** May end within a message, or even within a character: the rest is still to be read. */
  text: Buffer;
}

const handoverFd = 3;

/** `states`: the arguments that greet.sh adds; empty if the server was started without it. */
export function readHandover(states: readonly string[]): Handover {
  if (states.length === 0) return { isGreeted: false, text: Buffer.alloc(0) };
  const text = readFileSync(handoverFd);
  closeSync(handoverFd);
  // The shell always adds a line break.
  const isComplete = !states.includes("partial");
  return { isGreeted: states.includes("greeted"), text: isComplete ? text : text.subarray(0, -1) };
}

/** Continues the conversation on stdio until the host closes it. */
export async function converse(server: Server, { isGreeted, text }: Handover): Promise<void> {
  const { stdin, stdout } = process;
  const replayed = new PassThrough();
  const toHost = isGreeted ? dropAnswer(stdout, readId(text.toString().split("\n")[0])) : stdout;
  await server.connect(new StdioServerTransport(replayed, toHost));
  replayed.write(text);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    // The host ended, perhaps by kill -9: the closed pipe is the only signal.
    stdin.once("end", resolve).once("close", resolve);
  });
  stdin.pipe(replayed);
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
