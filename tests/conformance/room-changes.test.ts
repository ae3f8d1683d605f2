import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { enc, inRoom, makeActs } from "../support/matrix-acts.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
let carol: Person;
const acts = makeActs(() => server);
const { makeRoom, say, put } = acts;
beforeAll(async () => {
  server = await openTestServer();
  [alice, bob, carol] = [await acts.person("alice"), await acts.person("bob"), await acts.person("carol")];
});
afterAll(() => server.close());

const stateOf = async (roomId: string, type: string, key = ""): Promise<any> =>
  (await alice.call("GET", inRoom(roomId, "state", type, key))).json;

describe("a member", () => {
  it("can have a different name in one room, when joining and later", async () => {
    await bob.call("PUT", `profile/${enc(bob.userId)}/displayname`, { displayname: "Bob" });
    const roomId = await makeRoom(alice);
    const join = { membership: "join", displayname: "Robert" };
    expect((await put(bob, roomId, "m.room.member", join, bob.userId)).status).toBe(200);
    expect(await stateOf(roomId, "m.room.member", bob.userId)).toEqual(join);
    await put(bob, roomId, "m.room.member", { membership: "join", displayname: "Bobby" }, bob.userId);
    expect((await stateOf(roomId, "m.room.member", bob.userId)).displayname).toBe("Bobby");
  });

  it("cannot forge who authorised the join, and needs no authorisation once joined", async () => {
    const space = await makeRoom(alice);
    const allow = [{ type: "m.room_membership", room_id: space }];
    const roomId = await makeRoom(alice, [], {
      room_version: "8",
      initial_state: [
        { type: "m.room.join_rules", state_key: "", content: { join_rule: "restricted", allow } },
      ],
    });
    const join = (extra: object = {}): ReturnType<Person["call"]> =>
      put(carol, roomId, "m.room.member", { membership: "join", ...extra }, carol.userId);
    expect((await join({ join_authorised_via_users_server: alice.userId })).status).toBe(403);
    await carol.call("POST", `join/${enc(space)}`, {});
    expect((await join()).status).toBe(200);
    expect((await stateOf(roomId, "m.room.member", carol.userId)).join_authorised_via_users_server).toBe(
      alice.userId,
    );
    await join({ displayname: "Caro", join_authorised_via_users_server: "unused" });
    expect(await stateOf(roomId, "m.room.member", carol.userId)).toEqual({
      membership: "join",
      displayname: "Caro",
    });
  });
});

describe("malformed state", () => {
  it.each<[string, string, object, string]>([
    ["a level that is not a number", "m.room.power_levels", { ban: "50" }, ""],
    ["a level of an invalid user id", "m.room.power_levels", { users: { bob: 5 } }, ""],
    ["levels that are not an object", "m.room.power_levels", { events: [] }, ""],
    ["an unknown membership", "m.room.member", { membership: "absent" }, "@x:rookery.local"],
    ["a missing membership", "m.room.member", {}, "@x:rookery.local"],
  ])("is rejected: %s", async (_title, type, content, stateKey) => {
    const { status, json } = await put(alice, await makeRoom(alice), type, content, stateKey);
    expect([status, json.errcode]).toEqual([400, "M_BAD_JSON"]);
  });

  it("does not include empty power levels, after which further changes are forbidden", async () => {
    const roomId = await makeRoom(alice);
    expect((await put(alice, roomId, "m.room.power_levels", {})).status).toBe(200);
    const again = await put(alice, roomId, "m.room.power_levels", { users: { [alice.userId]: 100 } });
    expect([again.status, again.json.errcode]).toEqual([403, "M_FORBIDDEN"]);
  });
});

describe("a forgotten room", () => {
  it("is reported as left once, and never in an initial sync", async () => {
    const roomId = await makeRoom(alice, [bob]);
    const { next_batch: since } = await acts.sync(bob);
    await bob.call("POST", inRoom(roomId, "leave"), {});
    await bob.call("POST", inRoom(roomId, "forget"), {});
    const filter = { room: { include_leave: true } };
    const later = await acts.sync(bob, { since, filter });
    expect(later.rooms.leave[roomId].timeline.events).toMatchObject([
      { type: "m.room.member", content: { membership: "leave" } },
    ]);
    expect((await acts.sync(bob, { filter })).rooms.leave[roomId]).toBeUndefined();
    expect((await acts.sync(bob, { since: later.next_batch, filter })).rooms.leave[roomId]).toBeUndefined();
  });
});

describe("an event", () => {
  it.each<[string, () => Person, string, number]>([
    ["not a member", () => carol, "shared", 404],
    ["not a member of a world-readable room", () => carol, "world_readable", 200],
    ["a member", () => alice, "joined", 200],
  ])("is visible according to the reader: %s", async (_title, reader, visibility, status) => {
    const content = { history_visibility: visibility };
    const roomId = await makeRoom(alice, [], {
      initial_state: [{ type: "m.room.history_visibility", state_key: "", content }],
    });
    const event = await say(alice, roomId, "hello");
    expect((await reader().call("GET", inRoom(roomId, "event", event))).status).toBe(status);
  });

  it("is not found by timestamp if the user may not see it", async () => {
    const content = { history_visibility: "joined" };
    const roomId = await makeRoom(alice, [], {
      initial_state: [{ type: "m.room.history_visibility", state_key: "", content }],
    });
    const hidden = await say(alice, roomId, "before");
    await bob.call("POST", `join/${enc(roomId)}`, {});
    const event = await alice.call("GET", inRoom(roomId, "event", hidden));
    const time = `ts=${event.json.origin_server_ts}&dir=b`;
    const path = `/_matrix/client/v1/rooms/${enc(roomId)}/timestamp_to_event?${time}`;
    expect((await alice.call("GET", path)).status).toBe(200);
    const { json } = await bob.call("GET", path);
    expect(json.event_id).not.toBe(hidden);
    expect((await bob.call("GET", inRoom(roomId, "event", json.event_id))).status).toBe(200);
  });
});

describe("an upgrade", () => {
  const upgrade = async (roomId: string): Promise<string> => {
    const { json, text } = await alice.call("POST", inRoom(roomId, "upgrade"), { new_version: "11" });
    expect(json.replacement_room, text).toBeTypeOf("string");
    return json.replacement_room;
  };

  it("copies state that needs more than the upgrader's final level, and sets the levels last", async () => {
    const alias = `#carried-${Date.now()}:rookery.local`;
    const roomId = await makeRoom(alice);
    await alice.call("PUT", `directory/room/${enc(alias)}`, { room_id: roomId });
    const carried: Record<string, object> = {
      "m.room.topic": { topic: "topic" },
      "m.room.name": { name: "name" },
      "m.room.avatar": { url: "mxc://rookery.local/a" },
      "m.room.history_visibility": { history_visibility: "joined" },
      "m.room.server_acl": { allow: ["*"] },
      "m.room.canonical_alias": { alias },
    };
    for (const [type, content] of Object.entries(carried)) await put(alice, roomId, type, content);
    const before = await stateOf(roomId, "m.room.power_levels");
    const events = { ...before.events, "m.room.tombstone": 50 };
    for (const type of Object.keys(carried)) events[type] = 80;
    const levels = { ...before, events, users: { [alice.userId]: 50, "@test:xyz": 40 } };
    expect((await put(alice, roomId, "m.room.power_levels", levels)).status).toBe(200);
    const next = await upgrade(roomId);
    for (const [type, content] of Object.entries(carried)) expect(await stateOf(next, type)).toEqual(content);
    expect(await stateOf(next, "m.room.power_levels")).toEqual(levels);
    expect((await alice.call("GET", `directory/room/${enc(alias)}`)).json.room_id).toBe(next);
  });

  it.each([
    [0, 50],
    [80, 81],
  ])(
    "restricts the old room: with users at %s, sending and inviting need %s",
    async (usersDefault, level) => {
      const roomId = await makeRoom(alice);
      const before = await stateOf(roomId, "m.room.power_levels");
      await put(alice, roomId, "m.room.power_levels", { ...before, users_default: usersDefault });
      await upgrade(roomId);
      expect(await stateOf(roomId, "m.room.power_levels")).toMatchObject({
        events_default: level,
        invite: level,
      });
    },
  );

  it("cannot replace a room with itself", async () => {
    const roomId = await makeRoom(alice);
    const content = { replacement_room: roomId };
    for (const path of [
      inRoom(roomId, "state", "m.room.tombstone"),
      inRoom(roomId, "send", "m.room.tombstone", "t"),
    ]) {
      const { status, json } = await alice.call("PUT", path, content);
      expect([status, json.errcode]).toEqual([400, "M_BAD_JSON"]);
    }
  });
});

describe("a space", () => {
  it("lists its rooms depth first, in pages, each link with its room id", async () => {
    const asSpace = { creation_content: { type: "m.space" } };
    const [root, sub] = [await makeRoom(alice, [], asSpace), await makeRoom(alice, [], asSpace)];
    const [first, inner, last] = [await makeRoom(alice), await makeRoom(alice), await makeRoom(alice)];
    // With an order: children that are added in the same millisecond are sorted by their ids.
    for (const [parent, child, order] of [
      [root, first, "a"],
      [root, sub, "b"],
      [root, last, "c"],
      [sub, inner, "a"],
      [last, inner, "a"],
    ] as const)
      await put(alice, parent, "m.space.child", { via: ["rookery.local"], order }, child);
    const hierarchy = `/_matrix/client/v1/rooms/${enc(root)}/hierarchy`;
    const page = (await bob.call("GET", `${hierarchy}?limit=3`)).json;
    expect(page.rooms.map(({ room_id: id }: any) => id)).toEqual([root, first, sub]);
    expect(page.rooms[2].children_state).toMatchObject([
      { type: "m.space.child", room_id: sub, state_key: inner, content: { via: ["rookery.local"] } },
    ]);
    const rest = (await bob.call("GET", `${hierarchy}?from=${page.next_batch}`)).json;
    expect(rest.rooms.map(({ room_id: id }: any) => id)).toEqual([inner, last]);
    // A room that is not a space has no children.
    expect(rest.rooms[1].children_state).toEqual([]);
  });
});
