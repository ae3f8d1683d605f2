import { createServer } from "node:net";
import { expect, test } from "vitest";
import { listenOnFirstFree } from "./listen.ts";

test("listens on the first free port of a list, or throws the error of the last", async () => {
  const [first, second, third] = [createServer(), createServer(), createServer()];
  try {
    const taken = await listenOnFirstFree(first, "127.0.0.1", [0]);
    const other = await listenOnFirstFree(second, "127.0.0.1", [taken, 0]);
    expect(other).not.toBe(taken);
    await expect(listenOnFirstFree(third, "127.0.0.1", [taken, other])).rejects.toMatchObject({
      code: "EADDRINUSE",
      port: other,
    });
    expect(await listenOnFirstFree(third, "127.0.0.1", [taken, 0])).toBeGreaterThan(0);
  } finally {
    for (const server of [first, second, third]) server.close();
  }
});
