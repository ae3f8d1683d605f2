import { type IncomingMessage, request as httpRequest } from "node:http";
import type { ApiError } from "../protocol/api.ts";
import { AppError, type ErrorCode, errorRegistry } from "../shared/errors.ts";
import { type Address, makeHeaders } from "./request.ts";

/** An answer too large to hold: its pieces as they come. Throws the daemon's own error, or `daemon_unreachable`. */
export async function* streamDaemon(address: Address, path: string): AsyncGenerator<Buffer> {
  const response = await open(address, path);
  if ((response.statusCode ?? 500) >= 400) {
    const { code, message } = JSON.parse(
      Buffer.concat(await response.toArray()).toString("utf8"),
    ) as ApiError;
    throw new AppError(code in errorRegistry ? (code as ErrorCode) : "internal", message);
  }
  for await (const chunk of response) yield chunk as Buffer;
}

function open(address: Address, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath: address.socket, path, headers: makeHeaders(address) }, resolve);
    request.on("error", (cause) =>
      reject(new AppError("daemon_unreachable", `The daemon does not answer: ${cause.message}.`, { cause })),
    );
    request.end();
  });
}
