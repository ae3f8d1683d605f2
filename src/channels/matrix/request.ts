/** How a homeserver is reached. */
export interface MatrixAddress {
  /** Without a path: `http://127.0.0.1:37778`, `https://matrix.example.org`. */
  url: string;
  accessToken: string;
}

export interface MatrixRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** With its parts escaped; after `/_matrix/client`, unless it says otherwise. */
  path: string;
  query?: Record<string, string>;
  /** JSON, or the bytes of a plain text. */
  body?: unknown;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** What a homeserver refused, or that it could not be reached (`status` 0). */
export class MatrixError extends Error {
  readonly status: number;
  readonly code: string;
  /** When it may be tried again; undefined if trying again will not help. */
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
const shortestRetryMs = 500;

/** One call of the client-server API. Throws `MatrixError`; whoever gave the signal gets its own reason. */
export async function requestMatrix<T>(
  { url, accessToken }: Partial<MatrixAddress> & Pick<MatrixAddress, "url">,
  { method, path, query, body, timeoutMs = usualTimeoutMs, signal }: MatrixRequest,
): Promise<T> {
  const target = new URL(path.startsWith("/_matrix/") ? path : `/_matrix/client${path}`, url);
  for (const [name, value] of Object.entries(query ?? {})) target.searchParams.set(name, value);
  const headers: Record<string, string> = { accept: "application/json" };
  if (accessToken) headers["authorization"] = `Bearer ${accessToken}`;
  const isText = body instanceof Uint8Array;
  if (body !== undefined) headers["content-type"] = isText ? "text/plain" : "application/json";
  const deadline = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(target, {
      method,
      headers,
      body: body === undefined ? null : isText ? new Uint8Array(body) : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      redirect: "error", // A token goes to the server it was given by, and nowhere else.
    });
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    const why = deadline.aborted ? `no answer within ${timeoutMs} ms` : describeCause(cause);
    throw new MatrixError(0, "unreachable", `${target.host}: ${why}`, { cause });
  }
  const parsed = parseObject(text);
  if (response.ok && parsed) return parsed as T;
  throw toError(response, parsed, target);
}

function toError(response: Response, parsed: Record<string, unknown> | undefined, target: URL): MatrixError {
  const { errcode, error, retry_after_ms: asked } = parsed ?? {};
  const code = typeof errcode === "string" ? errcode : "M_UNKNOWN";
  const words =
    typeof error === "string" ? error : response.ok ? "the answer is not JSON" : response.statusText;
  const message = `${target.host} ${target.pathname}: ${response.status} ${code} ${words}`;
  if (response.status !== 429) return new MatrixError(response.ok ? 502 : response.status, code, message);
  const header = Number(response.headers.get("retry-after")) * 1000;
  const retryAfterMs = Math.max(shortestRetryMs, typeof asked === "number" ? asked : header || 1_000);
  return new MatrixError(429, code, message, { retryAfterMs });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined; // A proxy's page, most likely; the status tells the rest.
  }
}

function describeCause(thrown: unknown): string {
  const cause = (thrown as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (thrown as Error).message;
}
