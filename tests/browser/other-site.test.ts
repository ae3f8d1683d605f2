import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "./support/chromium.ts";
import { useViewer } from "./support/viewer.ts";

const viewer = useViewer();
let site: Server;
let page: Page;
let ours = "";

/** A malicious page of another site, in the browser that has the viewer open. */
beforeAll(async () => {
  site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>elsewhere</title><body></body>");
  }).listen(0, "127.0.0.1");
  const own = await viewer.open("#/today");
  ours = new URL(own.url()).origin;
  page = await own.context().newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
});
afterAll(() => void site.close());

type Attempt = (origin: string) => Promise<unknown>;

/** Each returns what the other site could read; it must be "nothing". */
const attempts: [string, Attempt][] = [
  [
    "reading an answer",
    (origin) =>
      fetch(`${origin}/api/status`).then(
        (r) => r.text(),
        () => "nothing",
      ),
  ],
  [
    "reading what needs no token",
    (origin) =>
      fetch(`${origin}/health`).then(
        (r) => r.text(),
        () => "nothing",
      ),
  ],
  [
    "guessing a one-time code",
    (origin) =>
      fetch(`${origin}/viewer/token`, { method: "POST", body: JSON.stringify({ code: "x" }) }).then(
        (r) => r.text(),
        () => "nothing",
      ),
  ],
  [
    "a call with a header of its own",
    (origin) =>
      fetch(`${origin}/api/config`, {
        method: "PATCH",
        headers: { authorization: "Bearer x", "content-type": "application/json" },
        body: "{}",
      }).then(
        (r) => r.text(),
        () => "nothing",
      ),
  ],
  [
    "the stream of events",
    (origin) =>
      new Promise((resolve) => {
        const source = new EventSource(`${origin}/api/events`);
        source.onmessage = ({ data }) => resolve(data);
        source.onopen = () => resolve("open");
        source.onerror = () => {
          source.close();
          resolve("nothing");
        };
      }),
  ],
  [
    "a WebSocket",
    (origin) =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${origin.replace("http", "ws")}/api/events`);
        socket.onopen = () => resolve("open");
        socket.onerror = () => resolve("nothing");
      }),
  ],
  [
    "a frame",
    (origin) =>
      new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.onload = () => resolve(frame.contentDocument?.querySelector("#app") ? "open" : "nothing");
        frame.src = origin;
        document.body.append(frame);
      }),
  ],
  [
    "a window it opened",
    async (origin) => {
      const opened = open(origin, "_blank");
      const isLoading = (): boolean => {
        try {
          return opened?.closed === false && opened.location.href === "about:blank";
        } catch {
          return false; // Of another origin by now.
        }
      };
      while (isLoading()) await new Promise((resolve) => setTimeout(resolve, 10));
      try {
        const found = opened?.closed || !opened?.document.querySelector("#app") ? "nothing" : "open";
        opened?.close();
        return found;
      } catch {
        return "nothing";
      }
    },
  ],
];

test.each(attempts)("another site gets nothing by %s", async (_name, attempt) => {
  expect(await page.evaluate(`(${attempt.toString()})(${JSON.stringify(ours)})`)).toBe("nothing");
});

test("unsolicited posts of another site change nothing", async () => {
  const before = (await viewer.rookery.call("GET", "/api/config")).text;
  await page.evaluate(async (origin) => {
    for (const path of ["/api/stop", "/api/config", "/api/notes", "/api/messages?_method=DELETE"])
      await fetch(origin + path, {
        method: "POST",
        mode: "no-cors",
        credentials: "include",
        body: '{"log.level":"debug"}',
      }).catch(() => undefined);
    const form = document.createElement("form");
    form.method = "POST";
    form.action = `${origin}/api/stop`;
    form.target = "_blank";
    document.body.append(form);
    form.submit();
  }, ours);
  expect((await viewer.rookery.call("GET", "/health")).json.status).toBe("ok");
  expect((await viewer.rookery.call("GET", "/api/config")).text).toBe(before);
  expect((await viewer.rookery.call("GET", "/api/browse")).json.total).toBe(0);
});
