import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { enc, makeActs } from "../support/matrix-acts.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
let carol: Person;
let dave: Person;
const acts = makeActs(() => server);
const { makeRoom, say, sync } = acts;
beforeAll(async () => {
  server = await openTestServer();
  [alice, bob, carol, dave] = await Promise.all([acts.person(), acts.person(), acts.person(), acts.person()]);
});
afterAll(() => server.close());

const lazy = { room: { state: { lazy_load_members: true }, timeline: { limit: 10 } } };
const membersIn = (answer: any, roomId: string): string[] =>
  answer.rooms.join[roomId].state.events
    .filter(({ type }: any) => type === "m.room.member")
    .map(({ state_key: key }: any) => key)
    .toSorted();
const sayTen = async (who: Person, roomId: string): Promise<void> => {
  for (let i = 0; i < 10; i++) await say(who, roomId, `Message ${i}`);
};
const ids = (...people: Person[]): string[] => people.map(({ userId }) => userId).toSorted();

describe("lazily loaded members", () => {
  it("are the reader and the senders if the room has a name, then only new senders", async () => {
    const roomId = await makeRoom(alice, [bob, carol], { name: "named" });
    await sayTen(bob, roomId);
    const first = await sync(alice, { filter: lazy });
    expect(membersIn(first, roomId)).toEqual(ids(alice, bob));
    await say(carol, roomId, "hello");
    const second = await sync(alice, { filter: lazy, since: first.next_batch });
    expect(membersIn(second, roomId)).toEqual(ids(carol));
    await say(bob, roomId, "hello again");
    const third = await sync(alice, { filter: lazy, since: second.next_batch });
    expect(membersIn(third, roomId)).toEqual([]);
  });

  it("include the heroes if the room has no name", async () => {
    const roomId = await makeRoom(alice, [bob, carol]);
    await sayTen(alice, roomId);
    const answer = await sync(alice, { filter: lazy });
    expect(membersIn(answer, roomId)).toEqual(ids(alice, bob, carol));
  });

  it("across a gap include users who joined or left in it", async () => {
    const roomId = await makeRoom(alice, [bob, carol], { name: "named" });
    await sayTen(bob, roomId);
    const { next_batch: since } = await sync(alice, { filter: lazy });
    await dave.call("POST", `join/${enc(roomId)}`, {});
    await bob.call("POST", `rooms/${enc(roomId)}/leave`, {});
    await sayTen(carol, roomId);
    const answer = await sync(alice, { filter: lazy, since });
    expect(answer.rooms.join[roomId].timeline.limited).toBe(true);
    expect(membersIn(answer, roomId)).toEqual(ids(bob, carol, dave));
  });
});

describe("the state after the timeline", () => {
  const topicIn = (events: any[]): string | undefined =>
    events.find(({ type }) => type === "m.room.topic")?.content.topic;

  it("includes changes in the timeline, in full and incremental syncs", async () => {
    const roomId = await makeRoom(alice, [bob], { topic: "first" });
    const full = (await sync(alice, { use_state_after: true })).rooms.join[roomId];
    expect(full.state).toBeUndefined();
    expect(topicIn(full.state_after.events)).toBe("first");
    const { next_batch: since } = await sync(alice);
    await say(bob, roomId, "hello");
    await acts.put(alice, roomId, "m.room.topic", { topic: "second" });
    const later = (await sync(alice, { since, use_state_after: true })).rooms.join[roomId];
    expect(later.state_after.events.map(({ content }: any) => content)).toEqual([{ topic: "second" }]);
    expect(topicIn(later.timeline.events)).toBe("second");
    const before = (await sync(alice, { since })).rooms.join[roomId];
    expect([before.state.events, before.state_after]).toEqual([[], undefined]);
  });

  it("is, for a left room, the state at the time of leaving, and present even if empty", async () => {
    const roomId = await makeRoom(alice, [bob]);
    const { next_batch: since } = await sync(bob);
    await bob.call("POST", `rooms/${enc(roomId)}/leave`, {});
    const left = (await sync(bob, { since, use_state_after: true })).rooms.leave[roomId];
    expect(left.state_after.events).toMatchObject([
      { state_key: bob.userId, content: { membership: "leave" } },
    ]);
  });
});

describe("the summary", () => {
  it.each<[string, object, boolean]>([
    ["of an unnamed room lists heroes", {}, true],
    ["of a named room has only counts", { name: "named" }, false],
    ["of a room with an alias has only counts", { room_alias_name: "summed" }, false],
  ])("%s", async (_title, options, hasHeroes) => {
    const roomId = await makeRoom(alice, [bob, carol], options);
    const { summary } = (await sync(alice)).rooms.join[roomId];
    expect(summary).toEqual({
      "m.joined_member_count": 3,
      "m.invited_member_count": 0,
      ...(hasHeroes ? { "m.heroes": [bob.userId, carol.userId] } : {}),
    });
  });
});

describe("the federation event format", () => {
  it("has all fields of a federation event", async () => {
    const roomId = await makeRoom(alice);
    await say(alice, roomId, "Test message");
    const filter = { event_format: "federation", room: { timeline: { limit: 1 } } };
    const [event] = (await sync(alice, { filter })).rooms.join[roomId].timeline.events;
    expect(event).toMatchObject({ room_id: roomId, content: { body: "Test message" }, signatures: {} });
    expect(Object.keys(event)).toEqual(
      expect.arrayContaining(["prev_events", "auth_events", "depth", "hashes", "origin_server_ts"]),
    );
  });
});
