import { afterEach, expect, it } from "vitest";
import { type EmbeddedHomeserver, openEmbeddedHomeserver } from "../../src/daemon/matrix/homeserver.ts";
import { silentLog } from "../../src/shared/log.ts";
import { waitFor } from "../support/processes.ts";

let homeserver: EmbeddedHomeserver | undefined;
afterEach(() => homeserver?.stop());

function open(pingEveryMs: number): { homeserver: EmbeddedHomeserver; starts: number[]; said: string[] } {
  const starts: number[] = [];
  const said: string[] = [];
  const opened = openEmbeddedHomeserver({
    workerUrl: new URL("../support/stalling-homeserver.mjs", import.meta.url),
    options: { ports: [1234] } as unknown as Parameters<typeof openEmbeddedHomeserver>[0]["options"],
    log: {
      ...silentLog,
      warn: (message) => void said.push(message),
      error: (message) => void said.push(message),
    },
    onListening: (port) => void starts.push(port),
    pingEveryMs,
  });
  homeserver = opened;
  opened.start();
  return { homeserver: opened, starts, said };
}

it("a stalled thread is reported and restarted on the same port", async () => {
  const { homeserver, starts, said } = open(250);
  expect(homeserver.health()).toEqual({ state: "starting", stalls: 0, trouble: "" });
  await waitFor(() => homeserver.health().state === "ready");
  const lost = homeserver.ensureUser("stall");
  lost.catch(() => {}); // Checked below.
  await waitFor(() => homeserver.health().state === "unresponsive", { intervalMs: 5 });
  await expect(lost).rejects.toMatchObject({ code: "homeserver_unavailable" });
  // Another program may listen there now, and must not get the tokens of our clients.
  expect(homeserver.port()).toBeUndefined();
  await waitFor(() => homeserver.health().state === "ready");
  expect(homeserver.health().stalls).toBe(1);
  expect([homeserver.port(), starts]).toEqual([1234, [1234, 1234]]);
  await homeserver.stats();
  expect(said).toEqual([
    "matrix: the homeserver does not respond",
    "matrix: the homeserver is restarted: it did not respond",
  ]);
});

it("a responsive thread keeps running", async () => {
  const { homeserver, starts, said } = open(250);
  await waitFor(() => homeserver.health().state === "ready");
  await waitFor(async () => (await homeserver.stats()).users === 3, { describe: "three pings" });
  expect(homeserver.health()).toEqual({ state: "ready", stalls: 0, trouble: "" });
  expect([starts.length, said]).toEqual([1, []]);
});
