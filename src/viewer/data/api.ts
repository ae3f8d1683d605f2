import type { ApiError } from "../../protocol/api.ts";
import type { AnswerOf, CallInput } from "../../protocol/endpoint.ts";
import type { Routes } from "../../protocol/endpoints.ts";
import { consentHeader } from "../../shared/consent-header.ts";
import { parseJson } from "../../shared/json.ts";
import { makePath } from "../../shared/make-path.ts";
import { consent, dropToken, token } from "./access.ts";

/** An error response of the daemon. */
export class RequestError extends Error {
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

/** Calls an endpoint. The API needs this header, which another site cannot make a browser send. */
export async function call<R extends Route>(
  route: R,
  input: Input<R>,
  options: Options = {},
): Promise<Answer<R>> {
  const { body } = input;
  const response = await fetchFromDaemon(pathOf(route, input), {
    method: route.slice(0, route.indexOf(" ")),
    headers: {
      authorization: `Bearer ${token.value ?? ""}`,
      ...(consent.value === null ? {} : { [consentHeader]: consent.value }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...options,
  });
  const answer: unknown = parseJson(await response.text());
  // The endpoint table types both sides; page and daemon come from one build.
  if (response.ok) return answer as Answer<R>;
  if (response.status === 401) dropToken();
  throw new RequestError(answer as ApiError, response.status);
}

/** Treats 404 as success: an earlier attempt may have succeeded without its response arriving. */
export async function remove<R extends Extract<Route, `DELETE ${string}`>>(
  route: R,
  input: Input<R>,
  options: Options = {},
): Promise<void> {
  try {
    await call(route, input, options);
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 404) throw error;
  }
}

async function fetchFromDaemon(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    const hint = "It may be restarting: run `rookery status`.";
    throw new RequestError({ code: "unreachable", message: "The daemon is not responding.", hint });
  }
}

export function pathOf<R extends Route>(route: R, input: Input<R>): string {
  return makePath(route.slice(route.indexOf(" ") + 1), input);
}
