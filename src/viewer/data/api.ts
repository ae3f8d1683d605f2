import type { ApiError } from "../../protocol/api.ts";
import { parseJson } from "../../shared/json.ts";
import { dropToken, token } from "./access.ts";

/** What the daemon refused, in its own words. */
export class Refused extends Error {
  readonly code: string;
  readonly hint: string;
  readonly status: number | undefined;

  constructor({ code, message, hint }: ApiError, status?: number) {
    super(message);
    this.code = code;
    this.hint = hint;
    this.status = status;
  }
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** One call. Only this header opens the API, so no other site can make a browser call it. */
export async function call<T>(
  method: Method,
  path: string,
  body?: unknown,
  options: { signal?: AbortSignal; keepalive?: boolean } = {},
): Promise<T> {
  const response = await reach(path, {
    method,
    headers: {
      authorization: `Bearer ${token.value ?? ""}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...options,
  });
  const answer: unknown = parseJson(await response.text());
  if (response.ok) return answer as T;
  if (response.status === 401) dropToken();
  throw new Refused(answer as ApiError, response.status);
}

/** What is gone already is gone: the answer to the first attempt may have been lost. */
export async function remove(path: string, options: { keepalive?: boolean } = {}): Promise<void> {
  try {
    await call("DELETE", path, undefined, options);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
  }
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    const hint = "It may be restarting; `rookery status` tells.";
    throw new Refused({ code: "unreachable", message: "The daemon does not answer.", hint });
  }
}

/** A path with those parameters that have a value. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}
