import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { waitFor } from "../support/processes.ts";

let server: TestServer;
let alice: Person;
/** How far the system time is ahead of the real one. */
let aheadMs = 0;

beforeAll(async () => {
  server = await openTestServer({
    clock: () => Date.now() + aheadMs,
    limits: { writesPerSecond: 20, waiting: 40, waitingPerUser: 30, mediaBytes: 400_000 },
  });
  alice = await server.register("alice");
});
afterAll(() => server.close());

it("refills the write limit after the system time was set back", async () => {
  aheadMs = 86_400_000;
  const { room_id: roomId } = (await alice.call("POST", "createRoom", {})).json;
  let txn = 0;
  const send = async (): Promise<number> => {
    const path = `rooms/${encodeURIComponent(roomId)}/send/m.room.message/t${txn++}`;
    return (await alice.call("PUT", path, { msgtype: "m.text", body: "hello" })).status;
  };
  await waitFor(async () => (await Promise.all(Array.from({ length: 100 }, send))).includes(429));
  aheadMs = 0;
  await waitFor(async () => (await send()) === 200, { describe: "an accepted message" });
});

it("reports the last activity by the time that has passed", async () => {
  aheadMs = 86_400_000;
  const path = `presence/${encodeURIComponent(alice.userId)}/status`;
  await waitFor(async () => (await alice.call("PUT", path, { presence: "online" })).status === 200);
  aheadMs = 2 * 86_400_000;
  const { last_active_ago: agoMs } = (await alice.call("GET", path)).json;
  expect(Number.isInteger(agoMs)).toBe(true);
  expect(agoMs).toBeLessThan(86_400_000);
});
