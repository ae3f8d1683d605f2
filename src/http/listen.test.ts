import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { exchange } from "../../tests/support/exchange.ts";
import { silentLog } from "../shared/log.ts";
import { type App, makeApp } from "./app.ts";
import type { AllHandlers } from "./handlers.ts";
import { listenTcp } from "./listen.ts";

let close = async (): Promise<void> => {};
afterEach(() => close());

async function open(app: App): Promise<number> {
  const listener = await listenTcp(app, [0]);
  close = listener.close;
  return listener.port;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test("a connection with thousands of unanswered requests is closed, and the rest of them never start", async () => {
  let started = 0;
  const port = await open((request, response) => {
    if (request.url === "/one") response.end();
    else started++;
  });
  const flood = connect(port, "127.0.0.1")
    .on("error", () => {})
    .resume();
  flood.write(get("/many").repeat(5_000));
  await new Promise((resolve) => flood.once("close", resolve));
  expect(started).toBeLessThan(50);
  expect(await exchange({ host: "127.0.0.1", port }, "GET", "/one")).toMatchObject({ status: 200 });
});

test("a connection serves any number of requests one after the other, and a few at once", async () => {
  const port = await open((_request, response) => void setImmediate(() => response.end("ok")));
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  for (let round = 0; round < 50; round++) {
    socket.write(get("/").repeat(4));
    let text = "";
    while (text.split("\r\n\r\nok").length <= 4) text += ((await once(socket, "data")) as [string])[0];
  }
  socket.destroy();
});

const last = "Connection: close\r\n\r\n";
const body = `Content-Length: 2\r\n${last}{}`;
const own = "Host: 127.0.0.1:PORT\r\n";
const signed = `${own}Authorization: Bearer secret\r\n`;
test.each([
  ["a request in order", `GET /api/status HTTP/1.1\r\n${signed}${last}`, [200], ["getStatus"]],
  [
    "two lengths of the body",
    `POST /api/stop HTTP/1.1\r\n${signed}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nGET /api/status HTTP/1.1\r\n${signed}\r\n`,
    [400],
    [],
  ],
  ["the length twice", `POST /api/stop HTTP/1.1\r\n${signed}Content-Length: 9\r\n${body}`, [400], []],
  ["an unknown encoding", `POST /api/stop HTTP/1.1\r\n${signed}Transfer-Encoding: x\r\n${body}`, [400], []],
  [
    "a folded header",
    `GET /api/status HTTP/1.1\r\n${own}Authorization: Bearer\r\n secret\r\n\r\n`,
    [400],
    [],
  ],
  [
    "a blank before the colon",
    `GET /api/status HTTP/1.1\r\n${own}Authorization : Bearer secret\r\n\r\n`,
    [400],
    [],
  ],
  ["lines without a return", `GET /api/status HTTP/1.1\n${signed.replaceAll("\r", "")}\n`, [400], []],
  [
    "the Host of another as well",
    `GET /api/status HTTP/1.1\r\nHost: evil.example\r\n${signed}${last}`,
    [403],
    [],
  ],
  ["no Host", "GET /health HTTP/1.1\r\n\r\n", [400], []],
  ["no Host in HTTP/1.0", "GET /health HTTP/1.0\r\n\r\n", [403], []],
  [
    "the token of another first",
    `GET /api/status HTTP/1.1\r\nAuthorization: Bearer x\r\n${signed}${last}`,
    [401],
    [],
  ],
  ["a whole URL as target", `GET http://127.0.0.1:PORT/api/status HTTP/1.1\r\n${own}${last}`, [404], []],
  ["two slashes", `GET //api/status HTTP/1.1\r\n${own}${last}`, [404], []],
  ["an encoded path", `GET /%61pi/status HTTP/1.1\r\n${own}${last}`, [404], []],
  ["a path that climbs", `GET /viewer/../api/status HTTP/1.1\r\n${own}${last}`, [404], []],
  ["a fragment", `GET /api/status# HTTP/1.1\r\n${own}${last}`, [401], []],
  ["OPTIONS", `OPTIONS /api/status HTTP/1.1\r\n${own}${last}`, [401], []],
  ["CONNECT", `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${own}\r\n`, [], []],
  [
    "a WebSocket",
    `GET /api/status HTTP/1.1\r\n${own}Connection: Upgrade\r\nUpgrade: websocket\r\n${last}`,
    [401],
    [],
  ],
  ["a head of 20 KB", `GET /api/status HTTP/1.1\r\n${signed}X: ${"x".repeat(20_000)}\r\n\r\n`, [431], []],
  [
    "a request without the token between two with it",
    `GET /api/status HTTP/1.1\r\n${signed}\r\nGET /api/config HTTP/1.1\r\n${own}\r\nGET /api/status HTTP/1.1\r\n${signed}${last}`,
    [200, 401, 200],
    ["getStatus", "getStatus"],
  ],
])("raw requests: %s", async (_name, text, statuses, reached) => {
  const calls: string[] = [];
  const handlers = new Proxy({} as AllHandlers, {
    get: (_all, name: string) => () => {
      calls.push(name);
      return {};
    },
  });
  let port = 0;
  const viewerFiles = new URL("file:///nowhere/");
  const options = { log: silentLog, token: "secret", port: () => port, viewerFiles, handlers };
  port = await open(makeApp(options, "tcp"));
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  socket.write(text.replaceAll("PORT", String(port)));
  let answer = "";
  for await (const chunk of socket) answer += chunk; // until the server has closed it
  expect([...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))).toEqual(statuses);
  expect(calls).toEqual(reached);
});
