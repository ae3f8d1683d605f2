import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Answer, openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { enc, inRoom, makeActs } from "../support/matrix-acts.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
let carol: Person;
const acts = makeActs(() => server);
const { put, say } = acts;
beforeAll(async () => {
  server = await openTestServer({ clock: () => 1_700_000_000_000 });
  [alice, bob, carol] = [await acts.person("alice"), await acts.person("bob"), await acts.person("carol")];
});
afterAll(() => server.close());

const create = (body: object = {}): Promise<Answer> =>
  alice.call("POST", "createRoom", { room_version: "12", preset: "public_chat", ...body });
const makeRoom = async (body: object = {}, ...others: Person[]): Promise<string> => {
  const { json, text } = await create(body);
  expect(json.room_id, text).toBeTypeOf("string");
  for (const other of others) await other.call("POST", `join/${enc(json.room_id)}`, {});
  return json.room_id;
};
const stateOf = async (who: Person, roomId: string, type: string, query = ""): Promise<any> =>
  (await who.call("GET", inRoom(roomId, "state", type) + query)).json;

describe("a room of version 12", () => {
  it("has the id of its create event, and two rooms with equal create events get different ids", async () => {
    const [one, two] = [await makeRoom(), await makeRoom()];
    expect(one).toMatch(/^![\w-]{43}$/);
    expect(two).not.toBe(one);
    const event = await stateOf(alice, one, "m.room.create", "?format=event");
    expect(event).toMatchObject({
      event_id: `$${one.slice(1)}`,
      room_id: one,
      content: { room_version: "12" },
    });
    expect(event.content.creator).toBeUndefined();
    const filter = { event_format: "federation", room: { timeline: { limit: 50 } } };
    const { events } = (await acts.sync(alice, { filter })).rooms.join[one].timeline;
    for (const { auth_events: auth } of events) expect(auth).not.toContain(event.event_id);
  });

  it("gives its creator unlimited power without a level", async () => {
    const roomId = await makeRoom({}, bob);
    const levels = await stateOf(alice, roomId, "m.room.power_levels");
    expect(levels).toMatchObject({ users: {}, events: { "m.room.tombstone": 150 } });
    const users = { [bob.userId]: 1_000 };
    expect((await put(alice, roomId, "m.room.power_levels", { ...levels, users })).status).toBe(200);
    const kicked = await bob.call("POST", inRoom(roomId, "kick"), { user_id: alice.userId });
    expect([kicked.status, kicked.json.errcode]).toEqual([403, "M_FORBIDDEN"]);
    expect((await alice.call("POST", inRoom(roomId, "kick"), { user_id: bob.userId })).status).toBe(200);
  });

  it.each<[string, () => Promise<Answer>, string]>([
    [
      "a level for the creator",
      async () => put(alice, await makeRoom(), "m.room.power_levels", { users: { [alice.userId]: 100 } }),
      "M_BAD_JSON",
    ],
    [
      "an initial level for the creator",
      () => create({ power_level_content_override: { users: { [alice.userId]: 100 } } }),
      "M_BAD_JSON",
    ],
    [
      "creators that are not user ids",
      () => create({ creation_content: { additional_creators: ["bob"] } }),
      "M_INVALID_ROOM_STATE",
    ],
    [
      "creators that are not a list",
      () => create({ creation_content: { additional_creators: bob.userId } }),
      "M_INVALID_ROOM_STATE",
    ],
  ])("rejects %s", async (_title, ask, errcode) => {
    const { status, json } = await ask();
    expect([status, json.errcode]).toEqual([400, errcode]);
  });

  it.each<[string, () => object]>([
    ["named in the creation content", () => ({ creation_content: { additional_creators: [bob.userId] } })],
    ["invited to a trusted private chat", () => ({ preset: "trusted_private_chat", invite: [bob.userId] })],
  ])("has additional creators: users %s", async (_title, options) => {
    const roomId = await makeRoom(options(), bob);
    expect((await stateOf(alice, roomId, "m.room.create")).additional_creators).toEqual([bob.userId]);
    expect((await put(bob, roomId, "m.room.name", { name: "ours" })).status).toBe(200);
    expect((await alice.call("POST", inRoom(roomId, "kick"), { user_id: bob.userId })).status).toBe(403);
  });
});

describe("an upgrade to version 12", () => {
  it("drops the creators from the levels, keeps the others, and adds the tombstone last", async () => {
    const old = await makeRoom({ room_version: "10" }, bob);
    const before = await stateOf(alice, old, "m.room.power_levels");
    const users = { [alice.userId]: 100, [bob.userId]: 50, [carol.userId]: 100 };
    await put(alice, old, "m.room.power_levels", { ...before, users });
    const body = { new_version: "12", additional_creators: [carol.userId] };
    const { json } = await alice.call("POST", inRoom(old, "upgrade"), body);
    const next = json.replacement_room;
    const created = await stateOf(alice, next, "m.room.create");
    expect(created).toMatchObject({ predecessor: { room_id: old }, additional_creators: [carol.userId] });
    expect(await stateOf(alice, next, "m.room.power_levels")).toEqual({
      ...before,
      users: { [bob.userId]: 50 },
    });
    expect((await stateOf(alice, old, "m.room.tombstone")).replacement_room).toBe(next);
    await say(alice, next, "here we are");
  });

  it("and back gives the creators level 100 again", async () => {
    const old = await makeRoom();
    const { json } = await alice.call("POST", inRoom(old, "upgrade"), { new_version: "11" });
    const levels = await stateOf(alice, json.replacement_room, "m.room.power_levels");
    expect(levels.users).toEqual({ [alice.userId]: 100 });
    expect((await put(alice, json.replacement_room, "m.room.name", { name: "back" })).status).toBe(200);
  });
});
