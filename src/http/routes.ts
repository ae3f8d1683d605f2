import type { IncomingMessage, ServerResponse } from "node:http";
import type { Endpoint } from "../protocol/endpoint.ts";
import { endpoints } from "../protocol/endpoints.ts";
import { bodyLimitOf, checkShape, readBody, readBytes } from "./body.ts";
import type { AllHandlers, EventFeed, Handler } from "./handlers.ts";
import { readPeer } from "./peer.ts";
import { streamEvents, write } from "./stream.ts";

type Route = (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => Promise<void>;

interface Routes {
  /** `path` is as the client sent it, still encoded. */
  find(method: string, path: string): Route | undefined;
}

/** A route for each endpoint of the table: validates the request, calls the handler, sends its answer. */
export function makeRoutes(handlers: AllHandlers): Routes {
  const routes = (Object.keys(endpoints) as (keyof AllHandlers)[]).flatMap((name) => {
    const endpoint: Endpoint = endpoints[name];
    return [endpoint.path, ...(endpoint.alias ? [endpoint.alias] : [])].map((path) => {
      const pattern = new RegExp(`^${path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
      return { name, endpoint, pattern };
    });
  });

  return {
    find(method, path) {
      for (const { name, endpoint, pattern } of routes) {
        const match = endpoint.method === method ? pattern.exec(path) : null;
        if (!match) continue;
        // Safe because of `AllHandlers`: it pairs each endpoint with a handler for that endpoint's input.
        const handle = handlers[name] as unknown as Handler<Endpoint>;
        return (request, response, query) =>
          answer(endpoint, handle, decodeParams(match.groups), { request, response, query });
      }
      return undefined;
    },
  };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
}

async function answer(
  endpoint: Endpoint,
  handle: Handler<Endpoint>,
  params: Record<string, string>,
  { request, response, query }: Exchange,
): Promise<void> {
  const { body } = endpoint;
  const maxBytes = bodyLimitOf(endpoint);
  const disconnected = new AbortController();
  response.once("close", () => disconnected.abort());
  const input = {
    params,
    query: endpoint.query ? checkShape(endpoint.query, readQuery(query), "The query") : {},
    body:
      body === undefined
        ? undefined
        : await (body === "bytes" ? readBytes(request, maxBytes) : readBody(request, body, maxBytes)),
    caller: {
      peer: readPeer(request),
      signal: disconnected.signal,
      header: (name: string) => request.headers[name]?.toString(),
    },
  };
  const result: unknown = await handle(input as Parameters<typeof handle>[0]);
  const status = endpoint.status ?? 200;
  if (endpoint.answer === "text")
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(String(result));
  else if (endpoint.answer === "events") streamEvents(request, response, result as EventFeed);
  else if (endpoint.answer === "lines") await sendLines(response, result as AsyncGenerator<string>);
  else sendJson(response, status, result);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function sendLines(response: ServerResponse, lines: AsyncGenerator<string>): Promise<void> {
  const first = await lines.next(); // Fails here for an unknown project, before any line is sent.
  response.writeHead(200, { "content-type": "application/x-ndjson; charset=utf-8" });
  await write(response, first.value ?? "");
  for await (const text of lines) {
    if (response.destroyed) return;
    await write(response, text);
  }
  response.end();
}

/** The first value of each name. */
function readQuery(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].toReversed());
}

function decodeParams(encoded: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(encoded).map(([name, value]) => [name, decode(value)]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Not valid as an encoding: nothing has such an id.
  }
}
