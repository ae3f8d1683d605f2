import type { Readable, Writable } from "node:stream";
import { parseJson } from "../shared/json.ts";
import type { Greeting } from "./greeting.ts";

interface Message {
  id?: string | number;
  method?: string;
  params?: { protocolVersion?: string };
}

/** The conversation so far, for the server that continues it. */
export interface Handover {
  /** Notifications and the `initialize` request, which was answered already. */
  answered: string[];
  /** Input that was not answered. */
  rest: string;
}

/**
 * Answers a host's first requests without the server: loading it takes longer than everything else that a session waits for at its
 * start. Resolves at the first request that needs it; undefined if the input ends before.
 */
export function greet(input: Readable, output: Writable, greeting: Greeting): Promise<Handover | undefined> {
  return new Promise((resolve) => {
    const answered: string[] = [];
    let rest = "";

    function finish(handover: Handover | undefined): void {
      input.off("data", read).off("end", end).off("close", end);
      input.pause();
      resolve(handover);
    }
    const end = (): void => finish(undefined);
    function read(chunk: string): void {
      rest += chunk;
      for (let at = rest.indexOf("\n"); at >= 0; at = rest.indexOf("\n")) {
        const line = rest.slice(0, at);
        const message = parseMessage(line);
        const result = message && answer(message, greeting);
        if (message?.id !== undefined && !result) return finish({ answered, rest });
        if (result) output.write(`${JSON.stringify({ jsonrpc: "2.0", id: message?.id, result })}\n`);
        if (message?.method === "initialize" || message?.id === undefined) answered.push(line);
        rest = rest.slice(at + 1);
      }
    }
    input.setEncoding("utf8").on("data", read).on("end", end).on("close", end);
  });
}

function answer({ method, params }: Message, greeting: Greeting): object | undefined {
  const { protocolVersions, latestVersion, initialized, listed } = greeting;
  if (method === "initialize") {
    const wanted = params?.protocolVersion ?? "";
    const protocolVersion = protocolVersions.includes(wanted) ? wanted : latestVersion;
    return { protocolVersion, ...initialized };
  }
  if (method === "tools/list") return listed;
  return method === "ping" ? {} : undefined;
}

/** Anything that is not a JSON object is passed on: the server reports it. */
export function parseMessage(line: string): Message | undefined {
  try {
    const message = parseJson(line);
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}
