import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { enc, inRoom, makeActs } from "../support/matrix-acts.ts";
import { waitFor } from "../support/processes.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
const acts = makeActs(() => server);
const { makeRoom, say, put, sync } = acts;
beforeAll(async () => {
  server = await openTestServer();
  [alice, bob] = [await acts.person("alice"), await acts.person("bob")];
});
afterAll(() => server.close());

async function get(who: Person, path: string): Promise<any> {
  const { status, json, text } = await who.call("GET", path);
  expect(status, text).toBe(200);
  return json;
}
const now = async (who: Person): Promise<string> => (await get(who, "events?timeout=0")).end;
const listen = (who: Person, from: string, timeout = 0): Promise<any> =>
  get(who, `events?from=${from}&timeout=${timeout}`);
const typesOf = (events: any[]): string[] => events.map(({ type }) => type);

describe("/events", () => {
  it("starts at the present and reports each event once, to members only", async () => {
    const carol = await acts.person();
    const roomId = await makeRoom(alice, [bob]);
    const [from, outside] = [await now(bob), await now(carol)];
    const event = await say(alice, roomId, "hello");
    const answer = await listen(bob, from);
    expect(answer.start).toBe(from);
    expect(answer.chunk).toMatchObject([
      { type: "m.room.message", event_id: event, room_id: roomId, sender: alice.userId },
    ]);
    expect((await listen(bob, answer.end)).chunk).toEqual([]);
    expect((await listen(carol, outside)).chunk).toEqual([]);
  });

  it("waits until there is an event", async () => {
    const roomId = await makeRoom(alice, [bob]);
    const waiting = listen(bob, await now(bob), 20_000);
    await waitFor(() => server.homeserver.services.waker.countWaiting(bob.userId) === 1);
    await say(alice, roomId, "wake up");
    expect((await waiting).chunk).toMatchObject([{ content: { body: "wake up" } }]);
  });

  it("returns many missed messages in order", async () => {
    const roomId = await makeRoom(alice, [bob]);
    const from = await now(bob);
    const bodies = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    for (const body of bodies) await say(alice, roomId, body);
    const { chunk } = await listen(bob, from);
    expect(chunk.map(({ content }: any) => content.body)).toEqual(bodies);
  });

  it.each<[string, (roomId: string, event: string) => Promise<unknown>, (roomId: string) => object]>([
    [
      "a state change",
      (roomId) => put(alice, roomId, "m.room.topic", { topic: "new" }),
      (roomId) => ({ type: "m.room.topic", room_id: roomId, state_key: "", content: { topic: "new" } }),
    ],
    [
      "typing",
      (roomId) => alice.call("PUT", inRoom(roomId, "typing", alice.userId), { typing: true }),
      (roomId) => ({ type: "m.typing", room_id: roomId, content: { user_ids: [alice.userId] } }),
    ],
    [
      "read receipts",
      (roomId, event) => alice.call("POST", inRoom(roomId, "receipt", "m.read", event), {}),
      (roomId) => ({ type: "m.receipt", room_id: roomId }),
    ],
    [
      "presence",
      () => alice.call("PUT", `presence/${enc(alice.userId)}/status`, { presence: "unavailable" }),
      () => ({ type: "m.presence", content: { user_id: alice.userId, presence: "unavailable" } }),
    ],
    [
      "tags",
      (roomId) => bob.call("PUT", `user/${enc(bob.userId)}/rooms/${enc(roomId)}/tags/u.x`, { order: 0.5 }),
      (roomId) => ({ type: "m.tag", room_id: roomId, content: { tags: { "u.x": { order: 0.5 } } } }),
    ],
    [
      "account data",
      () => bob.call("PUT", `user/${enc(bob.userId)}/account_data/my.key`, { is: "kept" }),
      () => ({ type: "my.key", content: { is: "kept" } }),
    ],
  ])("reports %s", async (_title, act, expected) => {
    const roomId = await makeRoom(alice, [bob]);
    const event = await say(bob, roomId, "read me");
    const from = await now(bob);
    await act(roomId, event);
    expect((await listen(bob, from)).chunk).toMatchObject([expected(roomId)]);
  });

  it("reports the user's invitation, join and leave, and nothing earlier", async () => {
    const roomId = await makeRoom(alice, [], { preset: "private_chat" });
    await say(alice, roomId, "before");
    const own = async (from: string, act: () => Promise<unknown>): Promise<[string, unknown]> => {
      await act();
      const { chunk, end } = await listen(bob, from);
      const events = chunk.filter(({ type }: any) => type.startsWith("m.room."));
      return [end, events.map((event: any) => [event.room_id, event.state_key, event.content.membership])];
    };
    const [invited, invitation] = await own(await now(bob), () =>
      alice.call("POST", inRoom(roomId, "invite"), { user_id: bob.userId }),
    );
    expect(invitation).toEqual([[roomId, bob.userId, "invite"]]);
    const [joined, join] = await own(invited, () => bob.call("POST", inRoom(roomId, "join"), {}));
    expect(join).toEqual([[roomId, bob.userId, "join"]]);
    const [, leave] = await own(joined, () => bob.call("POST", inRoom(roomId, "leave"), {}));
    expect(leave).toEqual([[roomId, bob.userId, "leave"]]);
  });

  it("leaves to-device messages for /sync", async () => {
    const from = await now(bob);
    const messages = { [bob.userId]: { "*": { secret: 1 } } };
    await alice.call("PUT", "sendToDevice/m.test/older", { messages });
    const { end } = await listen(bob, from);
    await listen(bob, end);
    expect((await sync(bob)).to_device.events).toMatchObject([{ content: { secret: 1 } }]);
  });

  it("shows a single room to its members only", async () => {
    const [roomId, other] = [await makeRoom(alice, [bob]), await makeRoom(alice, [bob])];
    const from = await now(bob);
    for (const id of [other, roomId]) await say(alice, id, "hello");
    const { chunk } = await get(bob, `events?from=${from}&timeout=0&room_id=${enc(roomId)}`);
    expect(chunk).toMatchObject([{ room_id: roomId }]);
  });
});

describe("a single event", () => {
  it.each<[string, () => Person, number]>([
    ["found by members of its room", () => bob, 200],
    ["not found by others", () => stranger, 404],
  ])("is %s", async (_title, reader, status) => {
    const roomId = await makeRoom(alice, [bob]);
    const event = await say(alice, roomId, "look me up");
    const answer = await reader().call("GET", `events/${enc(event)}`);
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.json).toMatchObject({ event_id: event, room_id: roomId });
  });
  let stranger: Person;
  beforeAll(async () => {
    stranger = await acts.person("stranger");
  });
});

describe("/initialSync", () => {
  it("returns joined rooms with newest messages and current state, presence, tags and receipts", async () => {
    const carol = await acts.person();
    const roomId = await makeRoom(alice, [carol], { name: "Nest", visibility: "public" });
    for (const body of ["one", "two", "three"]) await say(alice, roomId, body);
    const event = await say(alice, roomId, "four");
    await alice.call("POST", inRoom(roomId, "receipt", "m.read", event), {});
    await alice.call("PUT", `presence/${enc(alice.userId)}/status`, { presence: "online" });
    await carol.call("PUT", `user/${enc(carol.userId)}/rooms/${enc(roomId)}/tags/u.x`, {});
    await carol.call("PUT", `user/${enc(carol.userId)}/account_data/my.key`, { is: "kept" });
    const answer = await get(carol, "initialSync?limit=2");
    const room = answer.rooms.find((found: any) => found.room_id === roomId);
    expect(room).toMatchObject({ membership: "join", visibility: "public" });
    expect(room.messages.chunk.map(({ content }: any) => content.body)).toEqual(["three", "four"]);
    expect(room.messages.end).toBe(answer.end);
    expect(typesOf(room.state)).toEqual(expect.arrayContaining(["m.room.create", "m.room.name"]));
    expect(room.state[0].room_id).toBe(roomId);
    expect(room.account_data).toEqual([{ type: "m.tag", content: { tags: { "u.x": {} } } }]);
    expect(answer.account_data).toContainEqual({ type: "my.key", content: { is: "kept" } });
    expect(answer.receipts).toMatchObject([
      { type: "m.receipt", room_id: roomId, content: { [event]: { "m.read": { [alice.userId]: {} } } } },
    ]);
    const present = answer.presence.map(({ content }: any) => content.user_id);
    expect(present).toEqual(expect.arrayContaining([alice.userId, carol.userId]));
    await say(alice, roomId, "five");
    expect((await listen(carol, answer.end)).chunk).toMatchObject([{ content: { body: "five" } }]);
  });

  it("returns invitations, and left rooms on request", async () => {
    const carol = await acts.person();
    const [left, invited] = [await makeRoom(alice, [carol]), await makeRoom(alice)];
    await carol.call("POST", inRoom(left, "leave"), {});
    await alice.call("POST", inRoom(invited, "invite"), { user_id: carol.userId });
    const rooms = async (query = ""): Promise<object> => {
      const answer = await get(carol, `initialSync${query}`);
      return Object.fromEntries(answer.rooms.map((room: any) => [room.room_id, room]));
    };
    const invitation = {
      membership: "invite",
      inviter: alice.userId,
      invite: { type: "m.room.member", room_id: invited, state_key: carol.userId },
    };
    expect(await rooms()).toEqual({ [invited]: expect.objectContaining({ membership: "invite" }) });
    expect(await rooms("?archived=true")).toMatchObject({
      [invited]: invitation,
      [left]: { membership: "leave" },
    });
  });
});
