import { type IncomingMessage, request as httpRequest } from "node:http";
import type { ApiError } from "../protocol/api.ts";
import { parseJson } from "../shared/json.ts";
import { type Address, makeHeaders, toDaemonError, toUnreachable } from "./request.ts";

/** An answer too large to hold: its pieces as they come. Throws the daemon's own error, or `daemon_unreachable`. */
export async function* streamDaemon(address: Address, path: string): AsyncGenerator<Buffer> {
  const response = await open(address, path);
  if ((response.statusCode ?? 500) >= 400) {
    const text = Buffer.concat(await response.toArray()).toString("utf8");
    throw toDaemonError(parseJson(text) as ApiError);
  }
  for await (const chunk of response) yield chunk as Buffer;
}

function open(address: Address, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath: address.socket, path, headers: makeHeaders(address) }, resolve);
    request.on("error", (cause) => reject(toUnreachable(cause)));
    request.end();
  });
}
