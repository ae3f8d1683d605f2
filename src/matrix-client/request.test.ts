import { createHook } from "node:async_hooks";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { requestMatrix } from "./request.ts";

const timers = new Set<number>();
const hook = createHook({
  init: (id, type) => void (type === "Timeout" && timers.add(id)),
  destroy: (id) => void timers.delete(id),
});
const server = createServer((request, response) => {
  if (request.url?.endsWith("/never")) return;
  response.end("{}");
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

afterAll(() => server.closeAllConnections());

test("an answered call leaves no timer behind", async () => {
  const { signal } = new AbortController();
  hook.enable();
  for (let n = 0; n < 50; n++)
    await requestMatrix({ url }, { method: "GET", path: "/versions", signals: [signal] });
  await nextTurn();
  hook.disable();
  expect(timers.size).toBeLessThan(10);
});

test("a call ends after its time", async () => {
  const call = requestMatrix({ url }, { method: "GET", path: "/never", timeoutMs: 30 });
  await expect(call).rejects.toThrow("no answer within 30 ms");
});

test.each([0, 1])("a call ends when signal %i aborts, with its reason", async (which) => {
  const controllers = [new AbortController(), new AbortController()];
  const signals = controllers.map(({ signal }) => signal);
  const call = requestMatrix({ url }, { method: "GET", path: "/never", signals });
  controllers[which]?.abort(new Error("over"));
  await expect(call).rejects.toThrow("over");
});

test("a call whose signal has aborted before is not sent", async () => {
  const signals = [AbortSignal.abort(new Error("over"))];
  await expect(requestMatrix({ url }, { method: "GET", path: "/never", signals })).rejects.toThrow("over");
});
