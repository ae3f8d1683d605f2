import { type IncomingMessage, request as httpRequest } from "node:http";
import type { CallInput, Endpoint } from "../protocol/endpoint.ts";
import { makePath } from "../shared/make-path.ts";
import { type Address, makeHeaders, readDaemonError, toUnreachableError } from "./request.ts";

/** Streams an answer that is too large for memory, in chunks. Throws the daemon's own error, or `daemon_unreachable`. */
export async function* streamEndpoint<E extends Endpoint & { answer: "lines" }>(
  address: Address,
  endpoint: E,
  call: CallInput<E>,
): AsyncGenerator<Buffer> {
  const response = await open(address, makePath(endpoint.path, call));
  if ((response.statusCode ?? 500) >= 400)
    throw readDaemonError(Buffer.concat(await response.toArray()).toString("utf8"));
  for await (const chunk of response) yield chunk as Buffer;
}

function open(address: Address, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath: address.socket, path, headers: makeHeaders(address) }, resolve);
    request.on("error", (cause) => reject(toUnreachableError(cause)));
    request.end();
  });
}
