import { afterEach, expect, test, vi } from "vitest";
import { openLoopbackServer } from "../../tests/support/loopback-server.ts";
import { streamEvents } from "./stream.ts";

afterEach(() => vi.useRealTimers());

test("a quiet stream sends a comment every 15 s", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const feed = { since: () => [], subscribe: () => () => {} };
  const server = await openLoopbackServer((request, response) => streamEvents(request, response, feed));
  const { body } = await fetch(server.url);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe(": connected\n\n");
  for (let round = 0; round < 2; round++) {
    vi.advanceTimersByTime(15_000);
    expect((await reader?.read())?.value).toBe(": still here\n\n");
  }
  await server.close();
});
