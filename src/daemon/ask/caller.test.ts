import { expect, test } from "vitest";
import { openStore } from "../../store/open-store.ts";
import { makeCallerCheck } from "./caller.ts";

const peer = {
  remoteAddress: "127.0.0.1",
  remotePort: 50_000,
  localAddress: "127.0.0.1",
  localPort: 37_777,
};

/** The kernel lists connections while they change: a reading can miss one. */
function check(readings: number[][]) {
  let next = 0;
  const lookup = async (): Promise<number[]> => readings[next++] ?? [];
  const store = openStore(":memory:", () => 0);
  return makeCallerCheck(store, process.platform, lookup).mayDecide(peer);
}

test("a caller that is missing in one listing of the connections is looked up again", async () => {
  // Process 1 has no ancestors that could be an agent.
  expect(await check([[], [1]])).toEqual({ may: true });
});

test("a caller that is in no listing is refused", async () => {
  expect(await check([])).toMatchObject({ may: false, why: expect.stringContaining("not found") });
});

test.runIf(process.platform === "linux")(
  "a process that may speak for another is looked up once per connection",
  async () => {
    let lookups = 0;
    const lookup = async (): Promise<number[]> => {
      lookups += 1;
      return [process.pid];
    };
    const { maySpeakFor } = makeCallerCheck(
      openStore(":memory:", () => 0),
      process.platform,
      lookup,
    );
    const connection = {};
    expect(await maySpeakFor(process.pid, { ...peer, connection })).toEqual({ may: true });
    expect(await maySpeakFor(process.pid, { ...peer, connection })).toEqual({ may: true });
    expect(lookups).toBe(1);
    await maySpeakFor(process.pid, { ...peer, connection: {} });
    await maySpeakFor(process.pid, peer);
    expect(lookups).toBe(3);
    expect(await maySpeakFor(process.ppid, { ...peer, connection })).toEqual({ may: true });
    expect(lookups).toBe(4);
  },
);
