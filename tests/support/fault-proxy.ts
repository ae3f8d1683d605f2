import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface FaultProxy {
  url: string;
  /** Answers every request like this from now on; undefined forwards requests again. */
  answer(fault: { status: number; body: object } | "hang up" | undefined): void;
  /** How many requests have arrived. */
  requests(): number;
  close(): Promise<void>;
}

/** A proxy between a client and a real server that can inject failures, and amend the JSON that clients post. */
export async function openFaultProxy(
  target: string,
  amend?: (path: string, body: object) => object,
): Promise<FaultProxy> {
  let fault: { status: number; body: object } | "hang up" | undefined;
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    requests += 1;
    if (fault === "hang up") {
      incoming.socket.destroy();
      return;
    }
    if (fault) {
      outgoing.writeHead(fault.status, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(fault.body));
      return;
    }
    const { host: _, ...headers } = incoming.headers;
    const onward = request(
      new URL(incoming.url ?? "/", target),
      { method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    if (amend && incoming.method === "POST") {
      onward.removeHeader("content-length");
      void text(incoming).then((sent) =>
        onward.end(sent && JSON.stringify(amend(incoming.url ?? "/", JSON.parse(sent) as object))),
      );
    } else incoming.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(next) {
      fault = next;
      // Also ends pending long polls.
      if (fault) server.closeAllConnections();
    },
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
