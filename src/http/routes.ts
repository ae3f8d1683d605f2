import type { Context, Hono } from "hono";
import { stream } from "hono/streaming";
import type { Endpoint } from "../protocol/endpoint.ts";
import { endpoints } from "../protocol/endpoints.ts";
import { checkShape, readBody, readBytes } from "./body.ts";
import type { AllHandlers, Caller, EventFeed, Handler } from "./handlers.ts";
import { readPeer } from "./peer.ts";
import { streamEvents } from "./sse.ts";

/** Adds a route for each endpoint of the table: validates the request, calls the handler, sends its answer. */
export function addRoutes(app: Hono, handlers: AllHandlers): void {
  for (const name of Object.keys(endpoints) as (keyof AllHandlers)[]) {
    const endpoint: Endpoint = endpoints[name];
    // Safe because of `AllHandlers`: it pairs each endpoint with a handler for that endpoint's input.
    const handle = handlers[name] as unknown as Handler<Endpoint>;
    const route = async (c: Context): Promise<Response> => {
      const { query, body } = endpoint;
      const input = {
        params: c.req.param(),
        query: query ? checkShape(query, c.req.query(), "The query") : {},
        body: body === undefined ? undefined : await (body === "bytes" ? readBytes(c) : readBody(c, body)),
        caller: readCaller(c),
      };
      return send(c, endpoint, await handle(input as Parameters<typeof handle>[0]));
    };
    for (const path of [endpoint.path, endpoint.alias]) if (path) app.on(endpoint.method, path, route);
  }
}

function readCaller(c: Context): Caller {
  return { peer: readPeer(c), signal: c.req.raw.signal, header: (name) => c.req.header(name) };
}

function send(c: Context, endpoint: Endpoint, result: unknown): Response | Promise<Response> {
  const { answer } = endpoint;
  const status = endpoint.status ?? 200;
  if (answer === "text") return c.text(String(result), status);
  if (answer === "events") return streamEvents(c, result as EventFeed);
  if (answer === "lines") return sendLines(c, result as AsyncGenerator<string>);
  return c.json(result as object, status);
}

async function sendLines(c: Context, lines: AsyncGenerator<string>): Promise<Response> {
  const first = await lines.next(); // Fails here for an unknown project, before any line is sent.
  c.header("content-type", "application/x-ndjson; charset=utf-8");
  return stream(c, async (out) => {
    await out.write(first.value ?? "");
    for await (const text of lines) {
      if (out.aborted) return;
      await out.write(text);
    }
  });
}
