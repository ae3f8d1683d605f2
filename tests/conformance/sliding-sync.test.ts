import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { enc, inRoom, makeActs } from "../support/matrix-acts.ts";
import { waitFor } from "../support/processes.ts";

const path = "/_matrix/client/unstable/org.matrix.simplified_msc3575/sync";
let server: TestServer;
let alice: Person;
let bob: Person;
const acts = makeActs(() => server);

beforeAll(async () => {
  server = await openTestServer();
  [alice, bob] = [await server.register("alice"), await server.register("bob")];
});
afterAll(() => server.close());

interface Options {
  pos?: string;
  timeout?: number;
}

function ask(who: Person, body: object, { pos, timeout = 0 }: Options = {}): Promise<Answer> {
  return who.call("POST", `${path}?timeout=${timeout}${pos === undefined ? "" : `&pos=${enc(pos)}`}`, body);
}

async function slide(who: Person, body: object, options?: Options): Promise<any> {
  const answer = await ask(who, body, options);
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

const all = (more: object = {}): object => ({
  lists: { all: { ranges: [[0, 99]], timeline_limit: 10, required_state: [["*", "*"]], ...more } },
});
const bodies = (room: any): string[] =>
  room.timeline.map(({ content }: any) => content.body).filter((body: unknown) => body !== undefined);
const stateOf = (room: any): string[] =>
  room.required_state
    .map(({ type, state_key }: any) => (state_key ? `${type} ${state_key}` : type))
    .toSorted();

it("is advertised in /versions, together with v1.1 to v1.15", async () => {
  const { versions, unstable_features: features } = (await server.call("GET", "/_matrix/client/versions"))
    .json;
  expect(features["org.matrix.simplified_msc3575"]).toBe(true);
  expect(versions).toEqual(["r0.6.1", ...Array.from({ length: 15 }, (_, n) => `v1.${n + 1}`)]);
});

describe("a connection", () => {
  it("returns each room in full once, then only its changes", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(who, [], { name: "First", topic: "t" });
    await acts.say(who, roomId, "one");
    const first = await slide(who, all());
    expect(first.lists.all.count).toBe(1);
    expect(first.rooms[roomId]).toMatchObject({
      initial: true,
      name: "First",
      joined_count: 1,
      invited_count: 0,
      num_live: 0,
      notification_count: 0,
      highlight_count: 0,
      limited: false,
      bump_stamp: expect.any(Number),
      prev_batch: expect.stringMatching(/^s\d+$/),
    });
    expect(bodies(first.rooms[roomId])).toEqual(["one"]);
    expect(stateOf(first.rooms[roomId])).toContain("m.room.topic");
    const quiet = await slide(who, all(), { pos: first.pos });
    expect(quiet.rooms).toEqual({});
    await acts.say(who, roomId, "two");
    await acts.put(who, roomId, "m.room.name", { name: "Second" });
    const changed = await slide(who, all(), { pos: quiet.pos });
    const room = changed.rooms[roomId];
    expect([room.initial, room.name, room.num_live, bodies(room), stateOf(room)]).toEqual([
      ...[undefined, "Second", 2, ["two"]],
      ["m.room.name"],
    ]);
    expect(room.bump_stamp).toBeGreaterThan(first.rooms[roomId].bump_stamp);
  });

  it("repeats a response whose position the client never used", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(who);
    const { pos } = await slide(who, all());
    await acts.say(who, roomId, "lost");
    const lost = await slide(who, all(), { pos });
    const again = await slide(who, all(), { pos });
    expect([bodies(lost.rooms[roomId]), bodies(again.rooms[roomId])]).toEqual([["lost"], ["lost"]]);
    const next = await slide(who, all(), { pos: again.pos });
    expect(next.rooms).toEqual({});
  });

  it.each(["s1_1", "nonsense", "s99999999_1", ""])("rejects the unknown position %j", async (pos) => {
    const answer = await ask(alice, all(), { pos });
    if (pos === "") expect(answer.status).toBe(200);
    else expect([answer.status, answer.json.errcode]).toEqual([400, "M_UNKNOWN_POS"]);
  });

  it("is separate per conn_id, and gone after a restart", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(who);
    const one = await slide(who, { conn_id: "one", ...all() });
    const two = await slide(who, { conn_id: "two", ...all() });
    expect(two.rooms[roomId].initial).toBe(true);
    expect((await slide(who, { conn_id: "one", ...all() }, { pos: one.pos })).rooms).toEqual({});
    await server.restart();
    const after = await ask(who, { conn_id: "two", ...all() }, { pos: two.pos });
    expect(after.json.errcode).toBe("M_UNKNOWN_POS");
  });

  it("waits until there is news, but not beyond the timeout", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(who, [bob]);
    const { pos } = await slide(who, all());
    const waiting = slide(who, all(), { pos, timeout: 20_000 });
    await acts.say(bob, roomId, "hello");
    const woken = await waiting;
    expect(bodies(woken.rooms[roomId])).toEqual(["hello"]);
    const quiet = await slide(who, all(), { pos: woken.pos, timeout: 50 });
    expect(quiet.rooms).toEqual({});
  });

  it("survives a cancelled request that ends after its successor", async () => {
    const who = await acts.person();
    await acts.makeRoom(who);
    const { pos } = await slide(who, all());
    const cancelled = new AbortController();
    const slow = fetch(`${server.url}${path}?timeout=60000&pos=${enc(pos)}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${who.token}` },
      body: JSON.stringify(all()),
      signal: cancelled.signal,
    });
    const { waker } = server.homeserver.services;
    await waitFor(() => waker.countWaiting(who.userId) === 1);
    const { pos: next } = await slide(who, all(), { pos });
    cancelled.abort();
    await expect(slow).rejects.toThrow();
    await waitFor(() => waker.countWaiting(who.userId) === 0);
    expect((await slide(who, all(), { pos: next })).rooms).toEqual({});
  });

  it("returns its position as a token for /messages, and echoes txn_id", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(who);
    await acts.say(who, roomId, "before");
    const { pos, txn_id: txn } = await slide(who, { txn_id: "t1", ...all() });
    expect(txn).toBe("t1");
    const page = await who.call("GET", `${inRoom(roomId, "messages")}?dir=b&limit=1&from=${enc(pos)}`);
    expect(page.json.chunk[0].content.body).toBe("before");
  });
});

describe("a list", () => {
  it("is sorted by activity, counted in full, and limited to its ranges", async () => {
    const who = await acts.person();
    const rooms: string[] = [];
    for (let n = 0; n < 6; n++) rooms.push(await acts.makeRoom(who));
    await acts.say(who, rooms[0] as string, "newest");
    const first = await slide(who, all({ ranges: [[0, 1]] }));
    expect(first.lists.all.count).toBe(6);
    expect(new Set(Object.keys(first.rooms))).toEqual(new Set([rooms[0], rooms[5]]));
    const more = await slide(
      who,
      all({
        ranges: [
          [0, 2],
          [5, 5],
        ],
      }),
      { pos: first.pos },
    );
    expect(new Set(Object.keys(more.rooms))).toEqual(new Set([rooms[4], rooms[1]]));
  });

  it.each<[string, object, string[]]>([
    ["is_dm true", { is_dm: true }, ["dm"]],
    ["is_dm false", { is_dm: false }, ["plain", "space", "secret", "tagged", "invited"]],
    ["is_encrypted", { is_encrypted: true }, ["secret"]],
    ["is_invite", { is_invite: true }, ["invited"]],
    ["not is_invite", { is_invite: false }, ["plain", "space", "secret", "tagged", "dm"]],
    ["room_types", { room_types: ["m.space"] }, ["space"]],
    ["room_types null", { room_types: [null], is_invite: false }, ["plain", "secret", "tagged", "dm"]],
    [
      "not_room_types",
      { not_room_types: ["m.space"], is_dm: false, is_invite: false },
      ["plain", "secret", "tagged"],
    ],
    ["tags", { tags: ["m.favourite"] }, ["tagged"]],
    [
      "not_tags",
      { not_tags: ["m.favourite"], room_types: [null], is_invite: false, is_dm: false },
      ["plain", "secret"],
    ],
    ["spaces", { spaces: ["space"] }, ["plain"]],
  ])("filters by %s", async (_what, filters, expected) => {
    const who = await acts.person();
    const rooms: Record<string, string> = {
      plain: await acts.makeRoom(who),
      space: await acts.makeRoom(who, [], { creation_content: { type: "m.space" } }),
      secret: await acts.makeRoom(who),
      tagged: await acts.makeRoom(who),
      dm: await acts.makeRoom(who),
      invited: await acts.makeRoom(bob, [], { invite: [who.userId] }),
    };
    const { plain = "", space = "", secret = "", tagged = "", dm = "" } = rooms;
    await acts.put(who, space, "m.space.child", { via: ["rookery.local"] }, plain);
    await acts.put(who, secret, "m.room.encryption", { algorithm: "m.megolm.v1.aes-sha2" });
    await who.call("PUT", `user/${enc(who.userId)}/rooms/${enc(tagged)}/tags/m.favourite`, {});
    await who.call("PUT", `user/${enc(who.userId)}/account_data/m.direct`, { [bob.userId]: [dm] });
    const given = { ...filters, ...("spaces" in filters ? { spaces: [space] } : {}) };
    const answer = await slide(who, all({ filters: given }));
    expect(answer.lists.all.count).toBe(expected.length);
    expect(Object.keys(answer.rooms).toSorted()).toEqual(
      expected.map((name) => rooms[name] ?? "").toSorted(),
    );
  });

  it("shows an invitation with stripped state only, then the joined room in full", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(alice, [], { name: "Party", invite: [who.userId] });
    await acts.say(alice, roomId, "hidden from guests");
    const first = await slide(who, all());
    const room = first.rooms[roomId];
    expect([room.initial, room.timeline, room.required_state]).toEqual([true, undefined, undefined]);
    expect(room.invite_state.map(({ type }: any) => type)).toContain("m.room.name");
    expect(JSON.stringify(first)).not.toContain("hidden from guests");
    await who.call("POST", inRoom(roomId, "join"), {});
    const joined = (await slide(who, all(), { pos: first.pos })).rooms[roomId];
    expect([joined.initial, joined.name]).toEqual([true, "Party"]);
    expect(bodies(joined)).toContain("hidden from guests");
  });

  it("reports that the user left, was kicked or was banned, and nothing of the room after that", async () => {
    const who = await acts.person();
    const rooms = await Promise.all([1, 2, 3].map(() => acts.makeRoom(alice, [who])));
    const [left = "", kicked = "", banned = ""] = rooms;
    const { pos } = await slide(who, all());
    await who.call("POST", inRoom(left, "leave"), {});
    await alice.call("POST", inRoom(kicked, "kick"), { user_id: who.userId });
    await alice.call("POST", inRoom(banned, "ban"), { user_id: who.userId });
    for (const id of rooms) await acts.say(alice, id, "behind their back");
    const answer = await slide(who, all(), { pos });
    for (const id of rooms) {
      const own = answer.rooms[id].required_state.find((event: any) => event.state_key === who.userId);
      expect(own.content.membership).toMatch(/leave|ban/);
    }
    expect(JSON.stringify(answer)).not.toContain("behind their back");
    expect((await slide(who, all(), { pos: answer.pos })).rooms).toEqual({});
    expect(Object.keys((await slide(who, all())).rooms).toSorted()).toEqual([kicked, banned].toSorted());
  });
});

describe("a room", () => {
  it("has only the required state, with $ME and $LAZY", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(alice, [who, bob], { name: "N", topic: "T" });
    await acts.say(bob, roomId, "hi");
    const config = {
      timeline_limit: 1,
      required_state: [
        ["m.room.topic", ""],
        ["m.room.member", "$ME"],
        ["m.room.member", "$LAZY"],
      ],
    };
    const answer = await slide(who, all(config));
    expect(stateOf(answer.rooms[roomId])).toEqual(
      ["m.room.topic", `m.room.member ${bob.userId}`, `m.room.member ${who.userId}`].toSorted(),
    );
    expect(answer.rooms[roomId].limited).toBe(true);
    await acts.put(alice, roomId, "m.room.name", { name: "not required" });
    const delta = (await slide(who, all(config), { pos: answer.pos })).rooms[roomId];
    expect(stateOf(delta)).toEqual([`m.room.member ${alice.userId}`]);
  });

  it("has heroes if it has no name", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(who, [bob]);
    const room = (await slide(who, all())).rooms[roomId];
    expect([room.name, room.heroes]).toEqual([undefined, [{ user_id: bob.userId, displayname: "bob" }]]);
  });

  it("is returned at once when its timeline limit or required state grows", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(who, [], { topic: "T" });
    for (const body of ["a", "b", "c"]) await acts.say(who, roomId, body);
    const small = { timeline_limit: 1, required_state: [["m.room.create", ""]] };
    const first = await slide(who, all(small));
    expect(bodies(first.rooms[roomId])).toEqual(["c"]);
    const subscribed = {
      ...all(small),
      room_subscriptions: { [roomId]: { timeline_limit: 3, required_state: [["m.room.topic", ""]] } },
    };
    const answer = await slide(who, subscribed, { pos: first.pos, timeout: 10_000 });
    const room = answer.rooms[roomId];
    expect([room.unstable_expanded_timeline, bodies(room)]).toEqual([true, ["a", "b", "c"]]);
    expect(stateOf(room)).toContain("m.room.topic");
    expect((await slide(who, subscribed, { pos: answer.pos })).rooms).toEqual({});
  });

  it("can be subscribed to outside the ranges, but only by those who may see it", async () => {
    const who = await acts.person();
    const [old, recent] = [await acts.makeRoom(who), await acts.makeRoom(who)];
    const foreign = await acts.makeRoom(alice, [], { preset: "private_chat" });
    await acts.say(who, recent, "on top");
    const config = { timeline_limit: 1, required_state: [] };
    const answer = await slide(who, {
      ...all({ ranges: [[0, 0]] }),
      room_subscriptions: { [old]: config, [foreign]: config, "!nosuch:rookery.local": config },
    });
    expect(Object.keys(answer.rooms).toSorted()).toEqual([old, recent].toSorted());
  });

  it("marks a gap with limited and a token to read it", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(who);
    const { pos } = await slide(who, all({ timeline_limit: 2 }));
    for (let n = 0; n < 5; n++) await acts.say(who, roomId, `m${n}`);
    const room = (await slide(who, all({ timeline_limit: 2 }), { pos })).rooms[roomId];
    expect([room.limited, bodies(room)]).toEqual([true, ["m3", "m4"]]);
    const older = await who.call(
      "GET",
      `${inRoom(roomId, "messages")}?dir=b&limit=3&from=${enc(room.prev_batch)}`,
    );
    expect(older.json.chunk.map(({ content }: any) => content.body)).toEqual(["m2", "m1", "m0"]);
  });
});

describe("an extension", () => {
  const only = (extensions: object, more: object = {}): object => ({ ...all(), ...more, extensions });

  it("to_device delivers messages until their token is used", async () => {
    const who = await acts.person();
    const send = (n: number) =>
      alice.call("PUT", `sendToDevice/m.test/sl-${who.userId}-${n}`, {
        messages: { [who.userId]: { [who.deviceId]: { n } } },
      });
    await send(1);
    const first = await slide(who, only({ to_device: { enabled: true } }));
    expect(first.extensions.to_device.events).toMatchObject([{ type: "m.test", content: { n: 1 } }]);
    const repeated = await slide(who, only({ to_device: { enabled: true } }), { pos: first.pos });
    expect(repeated.extensions.to_device.events).toHaveLength(1);
    const since = first.extensions.to_device.next_batch;
    const waiting = slide(who, only({ to_device: { enabled: true, since } }), {
      pos: repeated.pos,
      timeout: 9_000,
    });
    await send(2);
    expect((await waiting).extensions.to_device.events).toMatchObject([{ content: { n: 2 } }]);
  });

  it("e2ee reports key counts and changed devices", async () => {
    const who = await acts.person();
    await acts.makeRoom(alice, [who]);
    const first = await slide(who, only({ e2ee: { enabled: true } }));
    expect(first.extensions.e2ee).toMatchObject({
      device_one_time_keys_count: { signed_curve25519: 0 },
      device_unused_fallback_key_types: [],
    });
    const waiting = slide(who, only({ e2ee: { enabled: true } }), { pos: first.pos, timeout: 9_000 });
    const keys = {
      user_id: alice.userId,
      device_id: alice.deviceId,
      algorithms: [],
      keys: {},
      signatures: {},
    };
    await alice.call("POST", "keys/upload", { device_keys: { ...keys, unsigned: { n: Math.random() } } });
    expect((await waiting).extensions.e2ee.device_lists.changed).toEqual([alice.userId]);
  });

  it("account_data returns global and room data, then only changes", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(who);
    const user = `user/${enc(who.userId)}`;
    await who.call("PUT", `${user}/account_data/m.test`, { a: 1 });
    await who.call("PUT", `${user}/rooms/${enc(roomId)}/account_data/m.room.test`, { b: 1 });
    const extensions = { account_data: { enabled: true } };
    const first = await slide(who, only(extensions));
    const types = first.extensions.account_data.global.map(({ type }: any) => type);
    expect(types.toSorted()).toEqual(["m.push_rules", "m.test"]);
    expect(first.extensions.account_data.rooms[roomId]).toMatchObject([
      { type: "m.room.test", content: { b: 1 } },
    ]);
    await who.call("PUT", `${user}/account_data/m.test`, { a: 2 });
    const next = await slide(who, only(extensions), { pos: first.pos });
    expect(next.extensions.account_data).toEqual({
      global: [{ type: "m.test", content: { a: 2 } }],
      rooms: {},
    });
  });

  it("receipts and typing are returned per room, private receipts only to their owner", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(who, [bob]);
    const event = await acts.say(who, roomId, "read me");
    const extensions = { receipts: { enabled: true }, typing: { enabled: true } };
    const first = await slide(who, only(extensions));
    const waiting = slide(who, only(extensions), { pos: first.pos, timeout: 9_000 });
    await bob.call("POST", inRoom(roomId, "receipt", "m.read", event), {});
    const receipts = await waiting;
    expect(receipts.extensions.receipts.rooms[roomId]).toMatchObject({
      type: "m.receipt",
      content: { [event]: { "m.read": { [bob.userId]: { ts: expect.any(Number) } } } },
    });
    await bob.call("POST", inRoom(roomId, "receipt", "m.read.private", await acts.say(who, roomId, "x")), {});
    await bob.call("PUT", inRoom(roomId, "typing", bob.userId), { typing: true, timeout: 20_000 });
    const typing = await slide(who, only(extensions), { pos: receipts.pos });
    expect(typing.extensions.typing.rooms[roomId]).toEqual({
      type: "m.typing",
      content: { user_ids: [bob.userId] },
    });
    expect(JSON.stringify(typing)).not.toContain("m.read.private");
  });

  it("returns nothing unless it is enabled, and lists limit its rooms", async () => {
    const who = await acts.person();
    const roomId = await acts.makeRoom(who);
    await who.call("PUT", `user/${enc(who.userId)}/rooms/${enc(roomId)}/account_data/m.x`, {});
    expect((await slide(who, only({ e2ee: { enabled: false } }))).extensions).toEqual({});
    const scoped = await slide(who, only({ account_data: { enabled: true, lists: ["other"], rooms: [] } }));
    expect(scoped.extensions.account_data.rooms).toEqual({});
  });
});

it("serves the two connections of a client like Element X: the room list and encryption", async () => {
  const who = await acts.person();
  const roomId = await acts.makeRoom(bob, [who], { name: "Nest" });
  await acts.say(bob, roomId, "welcome");
  const roomList = {
    conn_id: "room-list",
    lists: {
      all_rooms: {
        ranges: [[0, 19]],
        timeline_limit: 1,
        required_state: [
          ...["name", "encryption", "topic", "avatar", "canonical_alias", "power_levels", "create"].map(
            (name) => [`m.room.${name}`, ""],
          ),
          ["m.room.member", "$LAZY"],
          ["m.room.member", "$ME"],
          ["org.matrix.msc3401.call.member", "*"],
          ["m.space.parent", "*"],
        ],
        include_heroes: true,
        filters: { not_room_types: [] },
      },
    },
    extensions: {
      account_data: { enabled: true },
      receipts: { enabled: true, rooms: ["*"] },
      typing: { enabled: true },
      "io.element.msc4308.thread_subscriptions": { enabled: true, limit: 10 },
    },
  };
  const encryption = {
    conn_id: "encryption",
    extensions: { to_device: { enabled: true }, e2ee: { enabled: true } },
  };
  const [list, keys] = [await slide(who, roomList), await slide(who, encryption)];
  expect(list.rooms[roomId]).toMatchObject({ initial: true, name: "Nest", joined_count: 2, limited: true });
  expect(bodies(list.rooms[roomId])).toEqual(["welcome"]);
  expect(keys).toMatchObject({ rooms: {}, extensions: { to_device: { events: [] }, e2ee: {} } });
  const opened = {
    ...roomList,
    room_subscriptions: {
      [roomId]: { timeline_limit: 20, required_state: [["*", "*"]], include_heroes: true },
    },
  };
  const room = (await slide(who, opened, { pos: list.pos })).rooms[roomId];
  expect(room.timeline.length).toBeGreaterThan(5);
  expect((await slide(who, encryption, { pos: keys.pos })).pos).toMatch(/^s\d+_\d+$/);
});

describe("a malformed request", () => {
  const list = { ranges: [[0, 9]], timeline_limit: 1, required_state: [] };
  it.each<[string, object]>([
    ["lists", { lists: [] }],
    ["a list", { lists: { a: 1 } }],
    ["ranges", { lists: { a: { ...list, ranges: [[5, 1]] } } }],
    ["ranges of text", { lists: { a: { ...list, ranges: [["a", "b"]] } } }],
    ["timeline_limit", { lists: { a: { ...list, timeline_limit: -1 } } }],
    ["required_state", { lists: { a: { ...list, required_state: ["m.room.name"] } } }],
    ["filters", { lists: { a: { ...list, filters: { is_dm: "yes" } } } }],
    ["room_subscriptions", { room_subscriptions: { "!a:b": 5 } }],
    ["extensions", { extensions: { e2ee: true } }],
    ["conn_id", { conn_id: 5 }],
    ["101 lists", { lists: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`l${n}`, list])) }],
  ])("with invalid %s is rejected", async (_what, body) => {
    const answer = await ask(alice, body);
    expect([answer.status, answer.json.errcode]).toEqual([400, "M_BAD_JSON"]);
  });
});
