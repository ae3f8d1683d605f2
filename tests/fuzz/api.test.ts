import * as fc from "fast-check";
import { afterAll } from "vitest";
import { makeApp } from "../../src/http/app.ts";
import type { AllHandlers } from "../../src/http/handlers.ts";
import type { Endpoint } from "../../src/protocol/endpoint.ts";
import { endpoints } from "../../src/protocol/endpoints.ts";
import { silentLog } from "../../src/shared/log.ts";
import { exchange } from "../support/exchange.ts";
import { openLoopbackServer } from "../support/loopback-server.ts";
import { fuzz } from "./fuzz.ts";
import { changed, damaged, json, jsonText, text } from "./hostile.ts";

const faults: unknown[] = [];
/** Nothing behind the edge: only routing, guards and the schemas of the table run. */
const handlers = new Proxy({} as AllHandlers, { get: () => () => ({}) });
const server = await openLoopbackServer(
  makeApp(
    {
      log: { ...silentLog, error: (_message, fields) => void faults.push(fields) },
      token: "t".repeat(32),
      port: () => 37_777,
      viewerFiles: new URL("file:///nowhere/"),
      handlers,
    },
    "tcp",
  ),
);
afterAll(() => server.close());
const { hostname: host, port } = new URL(server.url);
const address = { host, port };

/** A larger head does not reach us: Node's HTTP server refuses it and closes the connection. */
const maxTarget = 12_000;

/** Streams end with their feed, which no handler provides here. */
const table = Object.values<Endpoint>(endpoints).filter(({ answer }) => typeof answer !== "string");

fuzz(
  "queries and bodies of every endpoint",
  fc.constantFrom(...table).chain((endpoint) =>
    fc.record({
      endpoint: fc.constant(endpoint),
      path: fillPath(endpoint.path),
      query: fc.dictionary(fc.oneof(nameOf(endpoint.query), text), text, { maxKeys: 4 }),
      body: bodyFor(endpoint),
    }),
  ),
  async ({ endpoint: { method }, path, query, body }) => {
    const headers = { host: "127.0.0.1:37777", authorization: `Bearer ${"t".repeat(32)}` };
    const target = `${path}?${new URLSearchParams(query)}`.slice(0, maxTarget);
    const { status } = await exchange(address, method, target, method === "GET" ? undefined : body, headers);
    if (status >= 500) throw faults.at(-1);
  },
);

fuzz("paths and headers", fc.record({ path: text, headers: headersOf() }), async ({ path, headers }) => {
  const target = `/${encodeURI(path.toWellFormed())}`.slice(0, maxTarget);
  const { status } = await exchange(address, "GET", target, undefined, headers);
  if (status >= 500) throw faults.at(-1);
});

function headersOf(): fc.Arbitrary<Record<string, string>> {
  const name = fc.constantFrom("host", "origin", "authorization", "last-event-id");
  // Other characters do not reach us: the HTTP parser refuses them.
  return fc.dictionary(
    name,
    text.map((value) => value.replace(/[^\x20-\x7e]/g, "")),
  );
}

function fillPath(path: string): fc.Arbitrary<string> {
  const parts = path.split("/").map((part) => {
    const filler = text.map((value) => encodeURIComponent(value.toWellFormed()) || "x");
    return part.startsWith(":") ? filler : fc.constant(part);
  });
  return fc.tuple(...parts).map((all) => all.join("/"));
}

function nameOf(schema: Endpoint["query"]): fc.Arbitrary<string> {
  const names = schema ? Object.keys(schema.shape) : [];
  return fc.constantFrom("x", ...names);
}

/** Objects with the fields of the schema, and anything else. */
function bodyFor({ body }: Endpoint): fc.Arbitrary<Uint8Array> {
  const shape = body && typeof body === "object" && "shape" in body ? (body.shape as object) : {};
  const fields = Object.fromEntries(Object.keys(shape).map((name) => [name, "x"]));
  const value = fc.oneof(json, fc.constantFrom("a", 1, true, ["a"], [["a"]], { a: 1 }, null));
  const filled = fc
    .array(fc.tuple(fc.constantFrom("x", ...Object.keys(shape)), value), { maxLength: 8 })
    .map((entries) => Object.fromEntries(entries));
  const given = fc.oneof(filled, changed([fields]));
  return damaged(
    fc.oneof(
      { weight: 3, arbitrary: given.map((one) => JSON.stringify(one)) },
      { weight: 1, arbitrary: jsonText },
    ),
  );
}
