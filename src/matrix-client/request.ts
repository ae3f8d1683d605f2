import { type IncomingHttpHeaders, request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";
import { isRecord, parseJson } from "../shared/json.ts";

/** The address of a homeserver. */
export interface MatrixAddress {
  /** Without a path: `http://127.0.0.1:37778`, `https://matrix.example.org`. */
  url: string;
  accessToken: string;
  /** With the token of an application service: the user of the service that makes the call. */
  actingAs?: string;
}

interface MatrixRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Escaped; relative to `/_matrix/client`, unless it starts with `/_matrix/`. */
  path: string;
  query?: Record<string, string>;
  /** JSON, or plain text as bytes. */
  body?: unknown;
  timeoutMs?: number;
  /** Any of them cancels the call. */
  signals?: readonly AbortSignal[];
}

/** A homeserver's refusal, or a failure to reach it (`status` 0). */
export class MatrixError extends Error {
  readonly status: number;
  readonly code: string;
  /** When to retry; undefined if retrying will not help. */
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "MatrixError";
    this.status = status;
    this.code = code;
    this.retryAfterMs = options.retryAfterMs ?? (status === 0 || status >= 500 ? 1_000 : undefined);
  }
}

const usualTimeoutMs = 30_000;
const minRetryMs = 500;

/** One call of the client-server API. Throws `MatrixError`; if one of the signals aborts, throws its reason. */
export async function requestMatrix<T>(
  { url, accessToken, actingAs }: Partial<MatrixAddress> & Pick<MatrixAddress, "url">,
  { method, path, query, body, timeoutMs = usualTimeoutMs, signals = [] }: MatrixRequest,
): Promise<T> {
  const target = new URL(path.startsWith("/_matrix/") ? path : `/_matrix/client${path}`, url);
  for (const [name, value] of Object.entries(query ?? {})) target.searchParams.set(name, value);
  if (actingAs) target.searchParams.set("user_id", actingAs);
  const headers: Record<string, string> = { accept: "application/json" };
  if (accessToken) headers["authorization"] = `Bearer ${accessToken}`;
  const isText = body instanceof Uint8Array;
  if (body !== undefined) headers["content-type"] = isText ? "text/plain" : "application/json";
  const payload = body === undefined || isText ? body : JSON.stringify(body);
  const call = new AbortController();
  const end = (): void => call.abort();
  // Not AbortSignal.timeout and AbortSignal.any: after the answer, their timers and links stay for as long as the call
  // could have taken.
  const timer = setTimeout(end, timeoutMs).unref();
  for (const signal of signals) signal.addEventListener("abort", end);
  let answer: Answer;
  try {
    for (const signal of signals) signal.throwIfAborted();
    answer = await sendOnce(target, { method, headers, signal: call.signal }, payload);
  } catch (cause) {
    const aborted = signals.find((signal) => signal.aborted);
    if (aborted) throw aborted.reason;
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = call.signal.aborted ? `no answer within ${timeoutMs} ms` : (code ?? message);
    throw new MatrixError(0, "unreachable", `${target.host}: ${why}`, { cause });
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", end);
  }
  const parsed = parseObject(answer.text);
  if (isOk(answer) && parsed) return parsed as T;
  throw toError(answer, parsed, target);
}

interface Answer {
  status: number;
  statusText: string;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * Does not use `fetch`, which runs a timeout check twice a second while a request is pending, and a long poll is
 * always pending. Redirects are not followed: a token must only be sent to the server that issued it.
 */
function sendOnce(target: URL, options: RequestOptions, payload?: string | Uint8Array): Promise<Answer> {
  const open = target.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open(target, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const { statusCode: status = 0, statusMessage: statusText = "", headers } = response;
        resolve({ status, statusText, headers, text: Buffer.concat(chunks).toString("utf8") });
      });
    });
    request.on("error", reject);
    request.end(payload);
  });
}

function isOk({ status }: Answer): boolean {
  return status >= 200 && status < 300;
}

function toError(answer: Answer, parsed: Record<string, unknown> | undefined, target: URL): MatrixError {
  const { status, statusText, headers } = answer;
  const { errcode, error, retry_after_ms: asked } = parsed ?? {};
  const code = typeof errcode === "string" ? errcode : "M_UNKNOWN";
  const words = typeof error === "string" ? error : isOk(answer) ? "the answer is not JSON" : statusText;
  const message = `${target.host} ${target.pathname}: ${status} ${code} ${words}`;
  if (status !== 429) return new MatrixError(isOk(answer) ? 502 : status, code, message);
  const header = Number(headers["retry-after"]) * 1000;
  const retryAfterMs = Math.max(minRetryMs, typeof asked === "number" ? asked : header || 1_000);
  return new MatrixError(429, code, message, { retryAfterMs });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseJson(text);
    // The state of a room is a list.
    return isRecord(value) || Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // Probably an error page of a proxy; the status is enough.
  }
}
