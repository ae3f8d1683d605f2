import { createServer } from "node:net";
import { expect, test } from "vitest";
import { listenOnFirst } from "./listen.ts";

test("listens on the first free port of a list, or throws the error of the last", async () => {
  const [first, second, third] = [createServer(), createServer(), createServer()];
  try {
    const taken = await listenOnFirst(first, "127.0.0.1", [0]);
    const other = await listenOnFirst(second, "127.0.0.1", [taken, 0]);
    expect(other).not.toBe(taken);
    await expect(listenOnFirst(third, "127.0.0.1", [taken, other])).rejects.toMatchObject({
      code: "EADDRINUSE",
      port: other,
    });
    expect(await listenOnFirst(third, "127.0.0.1", [taken, 0])).toBeGreaterThan(0);
  } finally {
    for (const server of [first, second, third]) server.close();
  }
});
