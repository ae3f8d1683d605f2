import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makePerson, openTestServer, password, type Person, type TestServer } from "../support/homeserver.ts";
import { waitFor } from "../support/processes.ts";

let server: TestServer;
let names = 0;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const person = (prefix = "p"): Promise<Person> => server.register(`${prefix}${names++}`);
const enc = encodeURIComponent;
const text = (body: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  msgtype: "m.text",
  body,
  ...more,
});

async function makeRoom(creator: Person, ...others: Person[]): Promise<string> {
  const { json } = await creator.call("POST", "createRoom", { preset: "public_chat" });
  for (const other of others) await other.call("POST", `join/${enc(json.room_id)}`, {});
  return json.room_id;
}

let txns = 0;
async function say(
  who: Person,
  roomId: string,
  body: string,
  more?: Record<string, unknown>,
): Promise<string> {
  const answer = await who.call(
    "PUT",
    `rooms/${enc(roomId)}/send/m.room.message/s${txns++}`,
    text(body, more),
  );
  expect(answer.status).toBe(200);
  return answer.json.event_id;
}

async function sync(
  who: Person,
  query: Record<string, string | number | boolean | object> = {},
): Promise<any> {
  const search = Object.entries(query).map(
    ([key, value]) => `${key}=${enc(typeof value === "object" ? JSON.stringify(value) : String(value))}`,
  );
  const answer = await who.call("GET", `sync?${search.join("&")}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

const bodies = (section: any): string[] =>
  section.timeline.events
    .filter(({ type }: any) => type === "m.room.message")
    .map(({ content }: any) => content.body);
const typesOf = (events: any[]): string[] => events.map(({ type }) => type);

describe("/sync", () => {
  it("returns each event once, and omits unchanged rooms", async () => {
    const [alice, bob] = [await person(), await person()];
    const roomId = await makeRoom(alice, bob);
    const first = await sync(bob);
    expect(first.rooms.join[roomId].summary["m.joined_member_count"]).toBe(2);
    await say(alice, roomId, "one");
    const second = await sync(bob, { since: first.next_batch });
    expect(bodies(second.rooms.join[roomId])).toEqual(["one"]);
    const third = await sync(bob, { since: second.next_batch });
    expect(third.rooms.join).toEqual({});
  });

  it("waits until there is news, but not beyond the timeout", async () => {
    const [alice, bob] = [await person(), await person()];
    const roomId = await makeRoom(alice, bob);
    const { next_batch: since } = await sync(bob);
    const waiting = sync(bob, { since, timeout: 20_000 });
    await waitFor(() => server.homeserver.services.waker.countWaiting(bob.userId) === 1);
    await say(alice, roomId, "wake up");
    expect(bodies((await waiting).rooms.join[roomId])).toEqual(["wake up"]);
    const { next_batch: later } = await sync(bob);
    const started = performance.now();
    expect((await sync(bob, { since: later, timeout: 200 })).rooms.join).toEqual({});
    expect(performance.now() - started).toBeGreaterThan(150);
  });

  it("marks a gap, returns the state changes in it and a token to read it", async () => {
    const [alice, bob] = [await person(), await person()];
    const roomId = await makeRoom(alice, bob);
    const { next_batch: since } = await sync(bob);
    await alice.call("PUT", `rooms/${enc(roomId)}/state/m.room.topic`, { topic: "in the gap" });
    for (let i = 0; i < 15; i++) await say(alice, roomId, `line ${i}`);
    const { rooms } = await sync(bob, { since, filter: { room: { timeline: { limit: 5 } } } });
    const { timeline, state } = rooms.join[roomId];
    expect([timeline.limited, timeline.events.length]).toEqual([true, 5]);
    expect(typesOf(state.events)).toEqual(["m.room.topic"]);
    const { json } = await bob.call(
      "GET",
      `rooms/${enc(roomId)}/messages?dir=b&from=${timeline.prev_batch}&to=${since}&limit=50`,
    );
    expect(json.chunk.map(({ content }: any) => content.body ?? content.topic)).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `line ${9 - i}`),
      "in the gap",
    ]);
  });

  it("loads members lazily, each once", async () => {
    const people = [await person(), await person(), await person()] as const;
    const [alice, bob, carol] = people;
    const roomId = await makeRoom(alice, bob, carol);
    for (let i = 0; i < 10; i++) await say(alice, roomId, `line ${i}`);
    await say(bob, roomId, "hello");
    const filter = { room: { state: { lazy_load_members: true }, timeline: { limit: 1 } } };
    const first = await sync(carol, { filter });
    const members = (section: any): string[] =>
      section.state.events
        .filter(({ type }: any) => type === "m.room.member")
        .map((event: any) => event.state_key);
    expect(members(first.rooms.join[roomId])).toContain(bob.userId);
    await say(bob, roomId, "again");
    const second = await sync(carol, { filter, since: first.next_batch });
    expect(members(second.rooms.join[roomId])).toEqual([]);
  });

  it("applies filters", async () => {
    const [alice, bob] = [await person(), await person()];
    const roomId = await makeRoom(alice, bob);
    await say(alice, roomId, "from alice");
    await say(bob, roomId, "from bob");
    const timeline = { types: ["m.room.message"], not_senders: [bob.userId], limit: 10 };
    const { json } = await alice.call("POST", `user/${enc(alice.userId)}/filter`, { room: { timeline } });
    const { rooms } = await sync(alice, { filter: json.filter_id });
    expect(bodies(rooms.join[roomId])).toEqual(["from alice"]);
    const other = await sync(alice, { filter: { room: { not_rooms: [roomId] } } });
    expect(other.rooms.join).toEqual({});
    const fields = await sync(alice, { filter: { event_fields: ["content.body"], room: { timeline } } });
    expect(fields.rooms.join[roomId].timeline.events).toEqual([{ content: { body: "from alice" } }]);
  });

  it("moves rooms through invite, join and leave", async () => {
    const [alice, bob] = [await person(), await person()];
    const { json } = await alice.call("POST", "createRoom", { name: "Nest", invite: [bob.userId] });
    const roomId: string = json.room_id;
    const invited = await sync(bob);
    expect(typesOf(invited.rooms.invite[roomId].invite_state.events)).toEqual(
      expect.arrayContaining(["m.room.create", "m.room.name", "m.room.join_rules", "m.room.member"]),
    );
    await bob.call("POST", `join/${enc(roomId)}`, {});
    const joined = await sync(bob, { since: invited.next_batch });
    expect(
      typesOf(joined.rooms.join[roomId].state.events.concat(joined.rooms.join[roomId].timeline.events)),
    ).toContain("m.room.create");
    await bob.call("POST", `rooms/${enc(roomId)}/leave`, {});
    await say(alice, roomId, "after bob");
    const left = await sync(bob, { since: joined.next_batch });
    expect(left.rooms.leave[roomId].timeline.events.map(({ content }: any) => content.membership)).toEqual([
      "leave",
    ]);
    expect((await sync(bob, { since: left.next_batch })).rooms.leave).toEqual({});
    expect((await sync(bob)).rooms.leave).toEqual({});
    const archived = await sync(bob, { filter: { room: { include_leave: true } } });
    expect(Object.keys(archived.rooms.leave)).toEqual([roomId]);
    await bob.call("POST", `rooms/${enc(roomId)}/forget`, {});
    expect((await sync(bob, { filter: { room: { include_leave: true } } })).rooms.leave).toEqual({});
  });

  it("returns the full room if the user joined and left since the last sync", async () => {
    const [alice, bob] = [await person(), await person()];
    const roomId = await makeRoom(alice);
    await alice.call("PUT", `rooms/${enc(roomId)}/state/a.madeup.test.state`, { my_key: "before" });
    for (let i = 0; i < 12; i++) await say(alice, roomId, `line ${i}`);
    const { next_batch: since } = await sync(bob);
    await bob.call("POST", `join/${enc(roomId)}`, {});
    await bob.call("POST", `rooms/${enc(roomId)}/leave`, {});
    const { timeline, state } = (await sync(bob, { since })).rooms.leave[roomId];
    expect(typesOf(state.events)).toEqual(
      expect.arrayContaining(["m.room.create", "m.room.power_levels", "a.madeup.test.state"]),
    );
    expect(timeline.limited).toBe(true);
    expect(timeline.events.slice(-2).map(({ content }: any) => content.membership)).toEqual([
      "join",
      "leave",
    ]);
  });

  it("shows a rejected invitation as left, and hides invitations from ignored users", async () => {
    const [alice, bob] = [await person(), await person()];
    const { json } = await alice.call("POST", "createRoom", { invite: [bob.userId] });
    const { next_batch: since } = await sync(bob);
    await bob.call("POST", `rooms/${enc(json.room_id)}/leave`, {});
    expect(Object.keys((await sync(bob, { since, full_state: true })).rooms.leave)).toEqual([json.room_id]);
    const ignored = { ignored_users: { [alice.userId]: {} } };
    await bob.call("PUT", `user/${enc(bob.userId)}/account_data/m.ignored_user_list`, ignored);
    await alice.call("POST", "createRoom", { invite: [bob.userId] });
    expect((await sync(bob, { since })).rooms.invite).toEqual({});
  });

  it("returns typing, receipts (private ones only to their owner), read markers and room data", async () => {
    const [alice, bob] = [await person(), await person()];
    const roomId = await makeRoom(alice, bob);
    const eventId = await say(alice, roomId, "read me");
    const { next_batch: since } = await sync(alice);
    await bob.call("PUT", `rooms/${enc(roomId)}/typing/${enc(bob.userId)}`, {
      typing: true,
      timeout: 30_000,
    });
    await bob.call("POST", `rooms/${enc(roomId)}/receipt/m.read/${enc(eventId)}`, {});
    await bob.call("POST", `rooms/${enc(roomId)}/receipt/m.read.private/${enc(eventId)}`, {});
    await bob.call("POST", `rooms/${enc(roomId)}/read_markers`, { "m.fully_read": eventId });
    const { rooms } = await sync(alice, { since });
    const [typing, receipt] = rooms.join[roomId].ephemeral.events;
    expect(typing).toEqual({ type: "m.typing", content: { user_ids: [bob.userId] } });
    expect(receipt.content[eventId]["m.read"][bob.userId].ts).toBeGreaterThan(0);
    expect(JSON.stringify(receipt)).not.toContain("private");
    const own = (await sync(bob)).rooms.join[roomId];
    expect(own.account_data.events).toEqual([{ type: "m.fully_read", content: { event_id: eventId } }]);
    expect(JSON.stringify(own.ephemeral)).toContain("m.read.private");
  });

  it("does not report typing of users who left", async () => {
    const [alice, bob] = [await person(), await person()];
    const roomId = await makeRoom(alice, bob);
    for (const who of [alice, bob])
      await who.call("PUT", `rooms/${enc(roomId)}/typing/${enc(who.userId)}`, { typing: true });
    await bob.call("POST", `rooms/${enc(roomId)}/leave`, {});
    expect((await sync(alice)).rooms.join[roomId].ephemeral.events).toEqual([
      { type: "m.typing", content: { user_ids: [alice.userId] } },
    ]);
  });

  it("counts unread events, by thread on request, until they are read", async () => {
    const [alice, bob] = [await person(), await person()];
    const roomId = await makeRoom(alice, bob);
    const root = await say(alice, roomId, "root");
    const inThread = { "m.relates_to": { rel_type: "m.thread", event_id: root } };
    const reply = await say(alice, roomId, "in the thread", inThread);
    const mention = { "m.mentions": { user_ids: [bob.userId] } };
    const last = await say(alice, roomId, "you!", mention);
    const counts = async (filter: object): Promise<unknown> => {
      const section = (await sync(bob, { filter })).rooms.join[roomId];
      return [section.unread_notifications, section.unread_thread_notifications];
    };
    const split = { room: { timeline: { unread_thread_notifications: true } } };
    expect(await counts({})).toEqual([{ highlight_count: 1, notification_count: 3 }, undefined]);
    expect(await counts(split)).toEqual([
      { highlight_count: 1, notification_count: 2 },
      { [root]: { highlight_count: 0, notification_count: 1 } },
    ]);
    const read = (event: string, body: unknown): Promise<unknown> =>
      bob.call("POST", `rooms/${enc(roomId)}/receipt/m.read/${enc(event)}`, body);
    await read(reply, { thread_id: root });
    expect(await counts(split)).toEqual([{ highlight_count: 1, notification_count: 2 }, undefined]);
    await read(last, {});
    expect(await counts({})).toEqual([{ highlight_count: 0, notification_count: 0 }, undefined]);
  });

  it("counts indirect relations as part of the thread", async () => {
    const [alice, bob] = [await person(), await person()];
    const roomId = await makeRoom(alice, bob);
    const root = await say(alice, roomId, "root");
    const related = (type: string, event: string): object => ({
      "m.relates_to": { rel_type: type, event_id: event },
    });
    const reply = await say(alice, roomId, "in it", { ...related("m.thread", root) });
    const answer = await say(alice, roomId, "to it", { ...related("m.reference", reply) });
    await say(alice, roomId, "to that", { ...related("m.reference", answer) });
    await say(alice, roomId, "to the root", { ...related("m.reference", root) });
    const filter = { room: { timeline: { unread_thread_notifications: true } } };
    const section = (await sync(bob, { filter })).rooms.join[roomId];
    expect(section.unread_notifications.notification_count).toBe(2);
    expect(section.unread_thread_notifications[root].notification_count).toBe(3);
  });

  it("delivers to-device messages, to all devices with *, and repeats them until confirmed", async () => {
    const [alice, bob] = [await person(), await person()];
    const { next_batch: since } = await sync(bob);
    const messages = { [bob.userId]: { "*": { secret: 1 } } };
    for (const _again of [1, 2]) await alice.call("PUT", "sendToDevice/m.test/t1", { messages });
    const first = await sync(bob, { since });
    expect(first.to_device.events).toEqual([
      { type: "m.test", sender: alice.userId, content: { secret: 1 } },
    ]);
    expect((await sync(bob, { since })).to_device.events).toHaveLength(1);
    expect((await sync(bob, { since: first.next_batch })).to_device.events).toEqual([]);
  });

  it("lists users whose keys to fetch (new contacts and changes) and users who left", async () => {
    const [alice, bob] = [await person(), await person()];
    const { next_batch: before } = await sync(bob);
    const roomId = await makeRoom(alice, bob);
    const met = await sync(bob, { since: before });
    expect(met.device_lists.changed).toContain(alice.userId);
    const keys = {
      user_id: alice.userId,
      device_id: alice.deviceId,
      algorithms: ["a"],
      keys: { [`ed25519:${alice.deviceId}`]: "k" },
      signatures: {},
    };
    await alice.call("POST", "keys/upload", {
      device_keys: keys,
      one_time_keys: { "signed_curve25519:A": { key: "a" } },
    });
    const changed = await sync(bob, { since: met.next_batch });
    expect(changed.device_lists).toEqual({ changed: [alice.userId], left: [] });
    const claimed = await bob.call("POST", "keys/claim", {
      one_time_keys: { [alice.userId]: { [alice.deviceId]: "signed_curve25519" } },
    });
    expect(claimed.json.one_time_keys[alice.userId][alice.deviceId]).toEqual({
      "signed_curve25519:A": { key: "a" },
    });
    expect((await sync(alice)).device_one_time_keys_count).toEqual({ signed_curve25519: 0 });
    await alice.call("POST", `rooms/${enc(roomId)}/leave`, {});
    expect((await sync(bob, { since: changed.next_batch })).device_lists).toEqual({
      changed: [],
      left: [alice.userId],
    });
  });

  it("returns the presence of new contacts and of users who change", async () => {
    const [alice, bob] = [await person(), await person()];
    await sync(alice);
    const { next_batch: since } = await sync(bob);
    await makeRoom(alice, bob);
    const met = await sync(bob, { since });
    expect(met.presence.events.map(({ sender }: any) => sender)).toContain(alice.userId);
    await alice.call("PUT", `presence/${enc(alice.userId)}/status`, {
      presence: "unavailable",
      status_msg: "lunch",
    });
    const { presence } = await sync(bob, { since: met.next_batch });
    expect(presence.events).toMatchObject([
      { type: "m.presence", sender: alice.userId, content: { presence: "unavailable", status_msg: "lunch" } },
    ]);
  });

  it("returns transaction ids to the sending device only", async () => {
    const alice = await person();
    const roomId = await makeRoom(alice);
    const eventId = await say(alice, roomId, "mine");
    const login = {
      type: "m.login.password",
      identifier: { type: "m.id.user", user: alice.userId },
      password,
    };
    const other = makePerson(server, (await server.call("POST", "login", login)).json);
    const unsigned = async (who: Person): Promise<any> =>
      (await who.call("GET", `rooms/${enc(roomId)}/event/${enc(eventId)}`)).json.unsigned;
    expect((await unsigned(alice)).transaction_id).toMatch(/^s\d+$/);
    expect(await unsigned(other)).not.toHaveProperty("transaction_id");
  });

  it("continues after a restart without loss, duplicates or reused positions", async () => {
    const [alice, bob] = [await person(), await person()];
    const roomId = await makeRoom(alice, bob);
    await bob.call("PUT", `rooms/${enc(roomId)}/typing/${enc(bob.userId)}`, { typing: true });
    const { next_batch: since } = await sync(bob);
    await server.restart();
    await say(alice, roomId, "after the restart");
    const next = await sync(bob, { since });
    expect(bodies(next.rooms.join[roomId])).toEqual(["after the restart"]);
    expect(Number(next.next_batch.slice(1))).toBeGreaterThan(Number(since.slice(1)));
  });
});
