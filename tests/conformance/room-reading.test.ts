import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { enc, inRoom, makeActs } from "../support/matrix-acts.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
const acts = makeActs(() => server);
const { makeRoom, say, put, send, sync } = acts;
beforeAll(async () => {
  server = await openTestServer();
  [alice, bob] = [await acts.person("alice"), await acts.person("bob")];
});
afterAll(() => server.close());

const get = async (who: Person, path: string): Promise<any> => (await who.call("GET", path)).json;
const idsOf = (events: any[]): string[] => events.map(({ event_id: id }) => id);
const membersOf = (events: any[]): Record<string, string> =>
  Object.fromEntries(events.map(({ state_key: key, content }) => [key, content.membership]));

describe("members", () => {
  it("are listed now, at an earlier position, and by membership", async () => {
    const roomId = await makeRoom(alice);
    for (let i = 0; i < 12; i++) await say(alice, roomId, `before ${i}`);
    const { prev_batch: at } = (await sync(alice)).rooms.join[roomId].timeline;
    await bob.call("POST", inRoom(roomId, "join"), {});
    const members = async (query = ""): Promise<object> =>
      membersOf((await get(alice, inRoom(roomId, "members") + query)).chunk);
    expect(await members()).toEqual({ [alice.userId]: "join", [bob.userId]: "join" });
    expect(await members(`?at=${at}`)).toEqual({ [alice.userId]: "join" });
    await alice.call("POST", inRoom(roomId, "kick"), { user_id: bob.userId, reason: "testing" });
    expect(await members("?not_membership=leave")).toEqual({ [alice.userId]: "join" });
    expect(await members("?membership=leave")).toEqual({ [bob.userId]: "leave" });
    expect(await get(alice, inRoom(roomId, "joined_members"))).toEqual({
      joined: { [alice.userId]: { display_name: alice.userId.slice(1).split(":")[0], avatar_url: null } },
    });
  });
});

describe("members of a room whose full history is in the initial sync", () => {
  it("at the position before it are the initial members", async () => {
    const roomId = await makeRoom(alice);
    await say(alice, roomId, "Hello world!");
    const { prev_batch: at } = (await sync(alice)).rooms.join[roomId].timeline;
    await bob.call("POST", `join/${enc(roomId)}`, {});
    const { chunk } = await get(alice, `${inRoom(roomId, "members")}?at=${at}`);
    expect(membersOf(chunk)).toEqual({ [alice.userId]: "join" });
  });
});

describe("a former member", () => {
  it("sees state, members and messages until they left, and nothing later", async () => {
    const roomId = await makeRoom(alice, [bob], {
      initial_state: [
        { type: "m.room.history_visibility", state_key: "", content: { history_visibility: "joined" } },
      ],
    });
    await put(alice, roomId, "madeup.test.state", { body: "before" });
    const last = await say(alice, roomId, "before");
    await bob.call("POST", inRoom(roomId, "leave"), {});
    const { next_batch: since } = await sync(bob);
    await put(alice, roomId, "madeup.test.state", { body: "after" });
    await say(alice, roomId, "after");
    const carol = await acts.person();
    await carol.call("POST", `join/${enc(roomId)}`, {});
    expect(await get(bob, inRoom(roomId, "state", "madeup.test.state"))).toEqual({ body: "before" });
    expect(await get(alice, inRoom(roomId, "state", "madeup.test.state"))).toEqual({ body: "after" });
    const state: any[] = await get(bob, inRoom(roomId, "state"));
    expect(state.find(({ type }) => type === "madeup.test.state").content).toEqual({ body: "before" });
    expect(membersOf((await get(bob, inRoom(roomId, "members"))).chunk)).toEqual({
      [alice.userId]: "join",
      [bob.userId]: "leave",
    });
    const page = await get(bob, `${inRoom(roomId, "messages")}?dir=b&limit=2&from=${since}`);
    expect([page.chunk[0].content.membership, page.chunk[1].event_id]).toEqual(["leave", last]);
    expect((await get(bob, `${inRoom(roomId, "messages")}?dir=f&limit=100&from=${since}`)).chunk).toEqual([]);
  });
});

describe("messages", () => {
  it.each([
    ["b", 1],
    ["b", 3],
    ["b", 7],
    ["f", 1],
    ["f", 3],
    ["f", 50],
  ])("are paged through (%s, %s at a time) to the end, without gaps or duplicates", async (dir, limit) => {
    const roomId = await makeRoom(alice, [bob]);
    const sent: string[] = [];
    for (let i = 0; i < 12; i++) {
      sent.push(await say(i % 2 ? alice : bob, roomId, `message ${i}`));
      if (i % 4 === 0) await put(alice, roomId, "m.room.topic", { topic: `topic ${i}` });
    }
    const seen: string[] = [];
    let from = "";
    for (let page = 0; page < 60; page++) {
      const { chunk, end } = await get(
        bob,
        `${inRoom(roomId, "messages")}?dir=${dir}&limit=${limit}${from && `&from=${from}`}`,
      );
      seen.push(...idsOf(chunk));
      if (end === undefined) break;
      from = end;
    }
    expect(new Set(seen).size).toBe(seen.length);
    const messages = seen.filter((id) => sent.includes(id));
    expect(messages).toEqual(dir === "f" ? sent : sent.toReversed());
  });

  it("around an event are empty with limit 0, with tokens at the event", async () => {
    const roomId = await makeRoom(alice);
    const [, middle, last] = [
      await say(alice, roomId, "1"),
      await say(alice, roomId, "2"),
      await say(alice, roomId, "3"),
    ];
    const context = await get(alice, `${inRoom(roomId, "context", middle)}?limit=0`);
    expect([context.events_before, context.events_after, context.event.event_id]).toEqual([[], [], middle]);
    const page = (dir: string, from: string): Promise<any> =>
      get(alice, `${inRoom(roomId, "messages")}?dir=${dir}&limit=1&from=${from}`);
    expect(idsOf((await page("f", context.end)).chunk)).toEqual([last]);
    expect(idsOf((await page("b", context.end)).chunk)).toEqual([middle]);
    expect((await get(alice, `${inRoom(roomId, "messages")}?dir=b&limit=0`)).chunk).toEqual([]);
  });

  it("include each sender's member event once", async () => {
    const roomId = await makeRoom(alice, [bob]);
    const { next_batch: from } = await sync(alice);
    await say(bob, roomId, "hello");
    const filter = enc(JSON.stringify({ lazy_load_members: true }));
    const { state } = await get(alice, `${inRoom(roomId, "messages")}?dir=f&from=${from}&filter=${filter}`);
    expect(membersOf(state)).toEqual({ [bob.userId]: "join" });
  });

  it("are sent every time if they have no transaction id", async () => {
    const roomId = await makeRoom(alice);
    const post = async (): Promise<string> =>
      (await alice.call("POST", inRoom(roomId, "send", "m.room.message"), { msgtype: "m.text", body: "x" }))
        .json.event_id;
    expect(await post()).not.toBe(await post());
  });
});

describe("relations", () => {
  it("are listed by relation and event type, in pages in both directions, recursively on request", async () => {
    const roomId = await makeRoom(alice);
    const root = await say(alice, roomId, "root");
    const relate = (type: string, relation: string, to = root): Promise<string> =>
      send(alice, roomId, type, {
        msgtype: "m.text",
        body: "b",
        "m.new_content": { msgtype: "m.text", body: "c" },
        "m.relates_to": {
          event_id: to,
          rel_type: relation,
          ...(relation === "m.annotation" ? { key: "k" } : {}),
        },
      });
    const reply = await relate("m.room.message", "m.thread");
    const dummy = await relate("m.dummy", "m.thread");
    const edit = await relate("m.room.message", "m.replace");
    const reaction = await relate("m.reaction", "m.annotation", reply);
    const base = `/_matrix/client/v1/rooms/${enc(roomId)}/relations/${enc(root)}`;
    const list = async (path: string): Promise<string[]> => idsOf((await get(alice, base + path)).chunk);
    expect(await list("")).toEqual([edit, dummy, reply]);
    expect(await list("?dir=f")).toEqual([reply, dummy, edit]);
    expect(await list("/m.thread")).toEqual([dummy, reply]);
    expect(await list("/m.thread/m.room.message")).toEqual([reply]);
    expect(await list("?recurse=true")).toEqual([reaction, edit, dummy, reply]);
    expect(await list("/m.annotation?recurse=true")).toEqual([reaction]);
    for (const dir of ["b", "f"]) {
      const first = await get(alice, `${base}?limit=2&dir=${dir}`);
      const second = await get(alice, `${base}?limit=2&dir=${dir}&from=${first.next_batch}`);
      const expected = dir === "f" ? [reply, dummy, edit] : [edit, dummy, reply];
      expect([...idsOf(first.chunk), ...idsOf(second.chunk)]).toEqual(expected);
      expect(second.next_batch).toBeUndefined();
    }
    const { unsigned } = await get(alice, inRoom(roomId, "event", root));
    expect(unsigned["m.relations"]).toMatchObject({
      "m.thread": { count: 2, current_user_participated: true, latest_event: { event_id: dummy } },
      "m.replace": { event_id: edit },
    });
  });

  it("form threads, most recently active first", async () => {
    const roomId = await makeRoom(alice, [bob]);
    const [one, two] = [await say(alice, roomId, "one"), await say(alice, roomId, "two")];
    const inThread = (who: Person, root: string): Promise<string> =>
      say(who, roomId, "reply", { "m.relates_to": { event_id: root, rel_type: "m.thread" } });
    const [first, second] = [await inThread(alice, one), await inThread(alice, two)];
    const threads = async (who: Person, query = ""): Promise<[string, string][]> =>
      (await get(who, `/_matrix/client/v1/rooms/${enc(roomId)}/threads${query}`)).chunk.map(
        ({ event_id: id, unsigned }: any) => [id, unsigned["m.relations"]["m.thread"].latest_event.event_id],
      );
    expect(await threads(alice)).toEqual([
      [two, second],
      [one, first],
    ]);
    const third = await inThread(bob, one);
    expect(await threads(alice)).toEqual([
      [one, third],
      [two, second],
    ]);
    expect(await threads(bob, "?include=participated")).toEqual([[one, third]]);
  });
});

describe("the directory", () => {
  it("resolves aliases to rooms and lists a room's aliases for permitted users", async () => {
    const roomId = await makeRoom(alice);
    const alias = "#老虎Â£я:rookery.local";
    expect((await alice.call("PUT", `directory/room/${enc(alias)}`, { room_id: roomId })).json).toEqual({});
    expect((await server.call("GET", `directory/room/${enc(alias)}`)).json).toEqual({
      room_id: roomId,
      servers: ["rookery.local"],
    });
    expect(await get(alice, inRoom(roomId, "aliases"))).toEqual({ aliases: [alias] });
    await put(alice, roomId, "m.room.canonical_alias", { alias, alt_aliases: [alias] });
    expect((await alice.call("DELETE", `directory/room/${enc(alias)}`)).json).toEqual({});
    expect(await get(alice, inRoom(roomId, "state", "m.room.canonical_alias"))).toEqual({});
    expect((await alice.call("GET", `directory/room/${enc(alias)}`)).status).toBe(404);
  });

  it("lists public rooms in pages, by search term and by room type", async () => {
    const fresh = await openTestServer();
    try {
      const eve = await fresh.register("eve");
      const create = async (name: string, more: object = {}): Promise<string> =>
        (await eve.call("POST", "createRoom", { visibility: "public", name, topic: "Wombles", ...more })).json
          .room_id;
      const rooms = [
        await create("one"),
        await create("two"),
        await create("three", { creation_content: { type: "m.space" } }),
      ];
      const hidden = (await eve.call("POST", "createRoom", { preset: "public_chat", name: "hidden" })).json
        .room_id;
      const list = async (body: object): Promise<any> => (await eve.call("POST", "publicRooms", body)).json;
      const roomIds = ({ chunk }: any): string[] => chunk.map(({ room_id: id }: any) => id).toSorted();
      const all = (await fresh.call("GET", "publicRooms")).json;
      expect(roomIds(all)).toEqual(rooms.toSorted());
      expect(all.total_room_count_estimate).toBe(3);
      const first = (await fresh.call("GET", "publicRooms?limit=2")).json;
      const second = (await fresh.call("GET", `publicRooms?limit=2&since=${first.next_batch}`)).json;
      expect([...roomIds(first), ...roomIds(second)].toSorted()).toEqual(rooms.toSorted());
      expect([second.next_batch, typeof second.prev_batch]).toEqual([undefined, "string"]);
      expect(roomIds(await list({ filter: { generic_search_term: "wOMBLES" } }))).toHaveLength(3);
      expect(roomIds(await list({ filter: { generic_search_term: "two" } }))).toEqual([rooms[1]]);
      expect(roomIds(await list({ filter: { room_types: ["m.space"] } }))).toEqual([rooms[2]]);
      expect(roomIds(await list({ filter: { room_types: [null] } }))).toHaveLength(2);
      const visibility = `directory/list/room/${enc(hidden)}`;
      expect((await fresh.call("GET", visibility)).json).toEqual({ visibility: "private" });
      await eve.call("PUT", visibility, { visibility: "public" });
      expect((await fresh.call("GET", visibility)).json).toEqual({ visibility: "public" });
      expect(roomIds((await fresh.call("GET", "publicRooms")).json)).toHaveLength(4);
    } finally {
      await fresh.close();
    }
  });
});

describe("key changes", () => {
  it("between two syncs are listed for users in shared rooms", async () => {
    const [carol, dora] = [await acts.person(), await acts.person()];
    await makeRoom(alice, [carol]);
    const { next_batch: from } = await sync(alice);
    for (const who of [carol, dora])
      await who.call("POST", "keys/upload", {
        device_keys: { user_id: who.userId, device_id: who.deviceId, algorithms: [], keys: {} },
      });
    const { next_batch: to } = await sync(alice, { since: from });
    expect(await get(alice, `keys/changes?from=${from}&to=${to}`)).toEqual({
      changed: [carol.userId],
      left: [],
    });
  });
});
