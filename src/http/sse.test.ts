import { Hono } from "hono";
import { afterEach, expect, test, vi } from "vitest";
import { streamEvents } from "./sse.ts";

afterEach(() => vi.useRealTimers());

test("a quiet stream sends a comment every 15 s", async () => {
  vi.useFakeTimers();
  const app = new Hono();
  app.get("/", (c) => streamEvents(c, { since: () => [], subscribe: () => () => {} }));
  const { body } = await app.request("/");
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe(": connected\n\n");
  for (let round = 0; round < 2; round++) {
    const next = reader?.read();
    await vi.advanceTimersByTimeAsync(15_000);
    expect((await next)?.value).toBe(": still here\n\n");
  }
  await reader?.cancel();
});
