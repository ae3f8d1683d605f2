import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { enc, makeActs } from "../support/matrix-acts.ts";

const roomCount = 300;
const syncCount = 6;
let server: TestServer;
let alice: Person;
const acts = makeActs(() => server);

beforeAll(async () => {
  server = await openTestServer();
  alice = await server.register("alice");
  const create = async (n: number): Promise<void> => {
    const roomId = await acts.makeRoom(alice, [], { name: `Room ${n}` });
    for (let i = 0; i < 5; i++) await acts.say(alice, roomId, `message ${i}`);
  };
  for (let n = 0; n < roomCount; n += 10)
    await Promise.all(Array.from({ length: 10 }, (_, i) => create(n + i)));
});
afterAll(() => server.close());

/** The number of turns of the event loop that take a millisecond or more, until the work is done. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  void work.finally(() => (isDone = true));
  const turnsMs: number[] = [];
  while (!isDone) {
    const before = process.threadCpuUsage();
    await nextTurn();
    const { user, system } = process.threadCpuUsage(before);
    turnsMs.push((user + system) / 1_000);
  }
  return turnsMs.filter((ms) => ms >= 1).length;
}

it("large initial syncs leave the thread to other requests in between", async () => {
  // After a restart every room is read from disk.
  await server.restart();
  const syncs = Promise.all(Array.from({ length: syncCount }, () => acts.sync(alice)));
  const turns = await countTurns(syncs);
  for (const { rooms } of await syncs) expect(Object.keys(rooms.join)).toHaveLength(roomCount);
  // Without pauses, each sync would do all its work in one turn of the event loop.
  expect(turns).toBeGreaterThan(3 * syncCount);
});

it("so does a long page of a room with threads", async () => {
  const roomId = await acts.makeRoom(alice);
  const root = await acts.say(alice, roomId, "root");
  for (let n = 0; n < 1_000; n++) {
    const parent = n % 2 ? root : await acts.say(alice, roomId, `root ${n}`);
    await acts.say(alice, roomId, `${n}`, { "m.relates_to": { rel_type: "m.thread", event_id: parent } });
  }
  const page = alice.call("GET", `rooms/${enc(roomId)}/messages?dir=b&limit=1000`);
  expect(await countTurns(page)).toBeGreaterThan(20);
  expect((await page).json.chunk).toHaveLength(1_000);
});

it("so does the upload of a large key backup", async () => {
  const { version } = (await alice.call("POST", "room_keys/version", { algorithm: "m.x", auth_data: {} }))
    .json;
  const names = Array.from({ length: 6_000 }, (_, n) => `s${n}`);
  const sessions = Object.fromEntries(names.map((name) => [name, { session_data: {} }]));
  const upload = alice.call("PUT", `room_keys/keys?version=${version}`, { rooms: { "!a:x": { sessions } } });
  expect(await countTurns(upload)).toBeGreaterThan(3);
  expect((await upload).json.count).toBe(names.length);
});

it("a message sent during a sync is in that sync or in the next, once", async () => {
  await server.restart();
  const { next_batch: start } = await acts.sync(alice);
  await server.restart();
  const { joined_rooms: rooms } = (await alice.call("GET", "joined_rooms")).json;
  const running = acts.sync(alice, { since: start, full_state: true });
  const events = await Promise.all(rooms.slice(-20).map((id: string) => acts.say(alice, id, "during")));
  const first = await running;
  const second = await acts.sync(alice, { since: first.next_batch });
  const seen = [first, second].flatMap((answer) =>
    Object.values<any>(answer.rooms.join).flatMap(({ timeline }) =>
      timeline.events.map(({ event_id: id }: any) => id),
    ),
  );
  for (const id of events) expect(seen.filter((other) => other === id)).toHaveLength(1);
});
