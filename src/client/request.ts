import { readFileSync } from "node:fs";
import { request as httpRequest, type RequestOptions } from "node:http";
import { apiError } from "../protocol/api.ts";
import type { AnswerOf, CallInput, Endpoint } from "../protocol/endpoint.ts";
import { makePath } from "../shared/make-path.ts";
import { describeFirstIssue } from "../shared/describe-issue.ts";
import { AppError, isErrorCode } from "../shared/errors.ts";
import { parseJson } from "../shared/json.ts";

/** The address of a daemon; a Home has these fields. */
export interface Address {
  socket: string;
  token: string;
}

interface CallOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** Path parameters, query, body and timeout of one call. */
export type Call<E extends Endpoint> = CallInput<E> & CallOptions;

/** The call may be left out where the endpoint needs no input. */
export type CallArgument<E extends Endpoint> =
  Partial<Call<E>> extends Call<E> ? [call?: Call<E>] : [call: Call<E>];

/** One request over the local socket. Throws the daemon's own error, or `daemon_unreachable`. */
export async function callEndpoint<E extends Endpoint>(
  address: Address,
  endpoint: E,
  ...[call]: CallArgument<E>
): Promise<AnswerOf<E>> {
  return sendRequest(endpoint, call, (payload) => ({
    socketPath: address.socket,
    headers: makeHeaders(address, payload),
  }));
}

/** Sends the request and checks the answer. `reach`: the address and the headers. */
export async function sendRequest<E extends Endpoint>(
  endpoint: E,
  call: Call<E> | undefined,
  reach: (payload: string | undefined) => RequestOptions,
): Promise<AnswerOf<E>> {
  const payload = call?.body === undefined ? undefined : JSON.stringify(call.body);
  const { method } = endpoint;
  const path = makePath(endpoint.path, call ?? {});
  const { status, text } = await send({ ...reach(payload), method, path }, call ?? {}, payload);
  if (status >= 400) throw readDaemonError(text);
  return readAnswer(endpoint, text);
}

function readAnswer<E extends Endpoint>({ answer, method, path }: E, text: string): AnswerOf<E> {
  if (typeof answer === "string") return text as AnswerOf<E>;
  // A process usually checks one answer: compiling the schema would take longer than interpreting it.
  const parsed = answer.safeParse(parseJson(text), { jitless: true });
  if (parsed.success) return parsed.data as AnswerOf<E>;
  const issue = describeFirstIssue(parsed.error, "The answer");
  throw new AppError(
    "internal",
    `Unexpected answer to ${method} ${path}: ${issue} Is the daemon a different version? Run: rookery restart`,
    { cause: parsed.error },
  );
}

/** A daemon of another version may have error codes that we do not know. */
export function readDaemonError(text: string): AppError {
  const { code, message } = apiError.parse(parseJson(text));
  return new AppError(isErrorCode(code) ? code : "internal", message);
}

export function toUnreachableError(cause: NodeJS.ErrnoException): AppError {
  const isDown = cause.code === "ENOENT" || cause.code === "ECONNREFUSED";
  const message = isDown ? "The daemon is not running." : `The daemon does not answer: ${cause.message}.`;
  return new AppError("daemon_unreachable", message, { cause });
}

function send(
  options: RequestOptions,
  { timeoutMs = 10_000, signal }: CallOptions,
  payload: string | undefined,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => reject(toUnreachableError(cause));
    const request = httpRequest(
      // No TLS: without a server name, Node does not compile its patterns of addresses.
      { ...options, servername: "", timeout: timeoutMs, ...(signal ? { signal } : {}) } as RequestOptions,
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
