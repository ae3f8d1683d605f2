import { afterAll, describe, expect, test } from "vitest";
import { type Answer, exchange } from "../../tests/support/exchange.ts";
import { openLoopbackServer } from "../../tests/support/loopback-server.ts";
import { endpoints } from "../protocol/endpoints.ts";
import type { Endpoint } from "../protocol/endpoint.ts";
import { silentLog } from "../shared/log.ts";
import { makeApp } from "./app.ts";
import type { AllHandlers } from "./handlers.ts";

const token = "0123456789abcdef";
const right = { host: "127.0.0.1:37777", authorization: `Bearer ${token}` };
const calls: string[] = [];

/** Records that a request reached its handler. */
const handlers = new Proxy({} as AllHandlers, {
  get: (_all, name: string) => () => {
    calls.push(name);
    return {};
  },
});

const viewerFiles = new URL("file:///nowhere/");
const options = { log: silentLog, token, port: () => 37777, viewerFiles, handlers };
const servers = {
  tcp: await openLoopbackServer(makeApp(options, "tcp")),
  pipe: await openLoopbackServer(makeApp(options, "pipe")),
};
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

async function request(
  method: string,
  path: string,
  headers: Record<string, string> = right,
  body?: unknown,
  transport: keyof typeof servers = "tcp",
): Promise<Answer & { reached: string[] }> {
  calls.length = 0;
  const { hostname: host, port } = new URL(servers[transport].url);
  const answer = await exchange({ host, port }, method, path, body, headers);
  return { ...answer, reached: [...calls] };
}

const error = (code: string): object => ({ code, message: expect.any(String), hint: expect.any(String) });

test.each<[string, Record<string, string>, number, string]>([
  ["no token", { authorization: "" }, 401, "unauthorized"],
  ["a wrong token", { authorization: `Bearer ${"0".repeat(16)}` }, 401, "unauthorized"],
  ["a token of another length", { authorization: "Bearer 0" }, 401, "unauthorized"],
  ["the token without its scheme", { authorization: token }, 401, "unauthorized"],
  ["the token and more", { authorization: `Bearer ${token}x` }, 401, "unauthorized"],
  ["Host attacker.com", { host: "attacker.com" }, 403, "forbidden_origin"],
  ["Host attacker.com with our port", { host: "attacker.com:37777" }, 403, "forbidden_origin"],
  ["Host with another port", { host: "127.0.0.1:1" }, 403, "forbidden_origin"],
  ["Host without a port", { host: "127.0.0.1" }, 403, "forbidden_origin"],
  ["Host as a suffix", { host: "127.0.0.1.attacker.com:37777" }, 403, "forbidden_origin"],
  ["Host with userinfo", { host: "127.0.0.1:37777@attacker.com" }, 403, "forbidden_origin"],
  ["Host with userinfo before ours", { host: "attacker.com@127.0.0.1:37777" }, 403, "forbidden_origin"],
  ["Host with a path", { host: "127.0.0.1:37777/x" }, 403, "forbidden_origin"],
  ["the Origin of another site", { origin: "https://attacker.com" }, 403, "forbidden_origin"],
  ["the Origin of another port", { origin: "http://127.0.0.1:1" }, 403, "forbidden_origin"],
  ["Origin null", { origin: "null" }, 403, "forbidden_origin"],
  ["our Origin under https", { origin: "https://127.0.0.1:37777" }, 403, "forbidden_origin"],
])("%s is refused over TCP", async (_name, headers, status, code) => {
  const answer = await request("GET", "/api/status", { ...right, ...headers });
  expect(answer).toMatchObject({ status, json: error(code), reached: [] });
  expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
});

test.each<[string, Record<string, string>]>([
  ["the token", {}],
  ["localhost", { host: "localhost:37777" }],
  ["our own Origin", { origin: "http://127.0.0.1:37777" }],
])("%s is accepted", async (_name, headers) => {
  const answer = await request("GET", "/api/status", { ...right, ...headers });
  expect(answer).toMatchObject({ status: 200, reached: ["getStatus"] });
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers["content-security-policy"]).toContain("default-src 'none'");
});

describe("every endpoint", () => {
  const rows = Object.entries<Endpoint>(endpoints).map(([name, { method, path, access, alias }]) => ({
    name,
    method,
    access,
    paths: [path, ...(alias ? [alias] : [])].map((one) => one.replace(/:\w+/g, "x")),
  }));

  test.each(rows.filter(({ access }) => access !== "open"))(
    "$name needs the token over TCP and over a pipe, on every path",
    async ({ method, paths }) => {
      for (const transport of ["tcp", "pipe"] as const)
        for (const path of [...paths, ...paths.map((one) => `${one}?token=${token}`)]) {
          const headers = { host: right.host, cookie: `token=${token}` };
          const body = method === "GET" ? undefined : {};
          expect(await request(method, path, headers, body, transport)).toMatchObject({
            status: 401,
            json: error("unauthorized"),
            reached: [],
          });
        }
    },
  );

  test("is also reachable under its old path", async () => {
    for (const [method, path, name] of [
      ["GET", "/api/observations/x", "getNote"],
      ["DELETE", "/api/observations/x", "forgetNote"],
      ["GET", "/api/observations/x/sources", "getNoteSources"],
      ["GET", "/api/observations", "listObservations"],
    ] as const)
      expect(await request(method, path)).toMatchObject({ status: 200, reached: [name] });
  });
});

test.each<[string, string, string, unknown, number, string]>([
  ["an unknown route", "GET", "/api/nothing", undefined, 404, "route_not_found"],
  ["an unknown method", "DELETE", "/api/status", undefined, 404, "route_not_found"],
  ["a path that climbs", "GET", "/api/../../etc/passwd", undefined, 404, "route_not_found"],
  ["malformed JSON", "POST", "/api/sessions", "{", 400, "invalid_json"],
  ["a list", "POST", "/api/sessions", [], 400, "invalid_payload"],
  ["null", "POST", "/api/sessions", "null", 400, "invalid_payload"],
  ["an empty body where fields are required", "POST", "/api/sessions", "", 400, "invalid_payload"],
  ["a session without cwd", "POST", "/api/sessions", { id: "x" }, 400, "invalid_payload"],
  ["an unknown field", "POST", "/api/sessions", { id: "x", cwd: "/", y: 1 }, 400, "invalid_payload"],
  ["a limit that is no number", "GET", "/api/sessions?limit=x", undefined, 400, "invalid_payload"],
  ["a negative limit", "GET", "/api/sessions?limit=-1", undefined, 400, "invalid_payload"],
  ["an infinite limit", "GET", "/api/sessions?limit=Infinity", undefined, 400, "invalid_payload"],
  ["a pid that is no number", "GET", "/api/sessions?pid=1%20OR%201", undefined, 400, "invalid_payload"],
  ["an unknown kind", "GET", "/api/search?kind=notes", undefined, 400, "invalid_payload"],
  ["an unknown state", "GET", "/api/questions?state=closed", undefined, 400, "invalid_payload"],
  ["a negative wait", "GET", "/api/questions/x?wait=-1", undefined, 400, "invalid_payload"],
  ["a delivery without a body", "POST", "/api/deliveries", { to: "x" }, 400, "invalid_payload"],
  ["deliveries without an agent", "GET", "/api/deliveries", undefined, 400, "invalid_payload"],
  ["a timeline around nothing", "GET", "/api/timeline", undefined, 400, "invalid_payload"],
  ["a stop for an unknown reason", "POST", "/api/stop", { reason: "because" }, 400, "invalid_payload"],
])("%s is refused before its handler", async (_name, method, path, body, status, code) => {
  expect(await request(method, path, right, body)).toMatchObject({ status, json: error(code), reached: [] });
});

test("without a token, a body of more than 64 KB is refused", async () => {
  const [host, body] = [{ host: right.host }, "x".repeat(65_537)];
  for (const path of ["/webhook/answer", "/viewer/token"])
    expect(await request("POST", path, host, body)).toMatchObject({
      status: 400,
      json: error("payload_too_large"),
      reached: [],
    });
});

test("HEAD of a stream has an end", async () => {
  expect(await request("HEAD", "/api/events")).toMatchObject({ status: 200, text: "" });
});

test.each([
  ["/api/sessions?limit=x", "Field limit must be a number."],
  ["/api/search?typo=1", 'Unknown field "typo".'],
  ["/api/deliveries", "Field agent must be text."],
])("%s is refused by the name of the field", async (path, message) => {
  expect((await request("GET", path)).json.message).toEqual(message);
});
