import type { ApiError } from "../../protocol/api.ts";
import type { AnswerOf, CallInput } from "../../protocol/endpoint.ts";
import type { Routes } from "../../protocol/endpoints.ts";
import { dropToken, token } from "./access.ts";

/** A refusal, in the words of the daemon. */
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

type Route = keyof Routes;
export type GetRoute = Extract<Route, `GET ${string}`>;
export type Input<R extends Route> = CallInput<Routes[R]>;
export type Answer<R extends Route> = AnswerOf<Routes[R]>;

interface Options {
  signal?: AbortSignal;
  keepalive?: boolean;
}

/** One call. Only this header opens the API, so no other site can make a browser call it. */
export async function call<R extends Route>(
  route: R,
  input: Input<R>,
  options: Options = {},
): Promise<Answer<R>> {
  const { body } = input;
  const response = await reach(makePath(route, input), {
    method: route.slice(0, route.indexOf(" ")),
    headers: {
      authorization: `Bearer ${token.value ?? ""}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...options,
  });
  const answer: unknown = await response.json();
  // The table of endpoints types both sides, and page and daemon are of one build.
  if (response.ok) return answer as Answer<R>;
  if (response.status === 401) dropToken();
  throw new Refused(answer as ApiError, response.status);
}

/** A 404 counts as removed: the answer to an earlier attempt may have been lost. */
export async function remove<R extends Extract<Route, `DELETE ${string}`>>(
  route: R,
  input: Input<R>,
  options: Options = {},
): Promise<void> {
  try {
    await call(route, input, options);
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 404) throw error;
  }
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    const hint = "It may be restarting: run `rookery status`.";
    throw new Refused({ code: "unreachable", message: "The daemon does not answer.", hint });
  }
}

/** Path and query of a call; parameters without a value are left out. */
export function makePath(
  route: string,
  { params = {}, query = {} }: { params?: object | undefined; query?: object | undefined },
): string {
  const values = new Map<string, unknown>(Object.entries(params));
  const path = route
    .slice(route.indexOf(" ") + 1)
    .replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(String(values.get(name))));
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") parameters.set(name, String(value));
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}
