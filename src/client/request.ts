import { readFileSync } from "node:fs";
import { request as httpRequest, type RequestOptions } from "node:http";
import type { ApiError } from "../protocol/api.ts";
import { AppError, isErrorCode } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";

/** How to reach a daemon; a Home has these. */
export interface Address {
  socket: string;
  token: string;
}

export interface Call {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** One request over the local socket. Throws the daemon's own error, or `daemon_unreachable`. */
export async function callDaemon<T>(address: Address, call: Call): Promise<T> {
  const payload = makePayload(call);
  const headers = makeHeaders(address, payload, call.headers);
  return readAnswer(await exchange({ socketPath: address.socket, headers }, call, payload));
}

export function makePayload({ body }: Call): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

export function readAnswer<T>({ status, text }: { status: number; text: string }): T {
  const body: unknown = text ? parseJson(text) : undefined;
  if (status < 400) return body as T;
  throw toDaemonError(body as ApiError);
}

/** What the daemon said. One of another version may know codes that we do not. */
export function toDaemonError({ code, message }: ApiError): AppError {
  return new AppError(isErrorCode(code) ? code : "internal", message);
}

export function toUnreachable(cause: NodeJS.ErrnoException): AppError {
  const why = cause.code === "ENOENT" || cause.code === "ECONNREFUSED" ? "none runs" : cause.message;
  return new AppError("daemon_unreachable", `The daemon does not answer: ${why}.`, { cause });
}

export function exchange(
  where: RequestOptions,
  call: Call,
  payload: string | undefined,
): Promise<{ status: number; text: string }> {
  const { method = "GET", path, timeoutMs = 10_000 } = call;
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => reject(toUnreachable(cause));
    const request = httpRequest(
      {
        ...where,
        method,
        path,
        timeout: timeoutMs,
        ...(call.signal ? { signal: call.signal } : {}),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", fail);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
        );
      },
    );
    request.on("timeout", () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    request.on("error", fail);
    request.end(payload);
  });
}

export function makeHeaders(
  address: Address,
  payload?: string,
  extra: Record<string, string> = {},
): Record<string, string> {
  const headers: Record<string, string> = { host: "localhost", ...extra };
  if (payload !== undefined) {
    headers["content-type"] = "application/json";
    headers["content-length"] = String(Buffer.byteLength(payload));
  }
  // A unix socket is guarded by its folder; a Windows pipe is not.
  if (address.socket.startsWith("\\\\"))
    headers.authorization = `Bearer ${readFileSync(address.token, "utf8").trim()}`;
  return headers;
}
