import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { enc, inRoom, makeActs } from "../support/matrix-acts.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
let roomId: string;
let root: string;
let unwanted: string;
const acts = makeActs(() => server);
const ignore = (...people: Person[]): Promise<unknown> =>
  alice.call("PUT", `user/${enc(alice.userId)}/account_data/m.ignored_user_list`, {
    ignored_users: Object.fromEntries(people.map(({ userId }) => [userId, {}])),
  });

beforeAll(async () => {
  server = await openTestServer();
  [alice, bob] = [await acts.person("alice"), await acts.person("bob")];
  roomId = await acts.makeRoom(alice, [bob]);
  root = await acts.say(alice, roomId, "root");
  const inThread = { "m.relates_to": { rel_type: "m.thread", event_id: root } };
  unwanted = await acts.say(bob, roomId, "unwanted", {
    ...inThread,
    "m.mentions": { user_ids: [alice.userId] },
  });
});
afterAll(() => server.close());

const search = { search_categories: { room_events: { search_term: "unwanted" } } };
const v1 = "/_matrix/client/v1";

describe("a message of an ignored user", () => {
  it.each<[string, () => ReturnType<Person["call"]>]>([
    ["/sync", () => alice.call("GET", "sync")],
    ["/messages", () => alice.call("GET", `${inRoom(roomId, "messages")}?dir=b`)],
    ["/context", () => alice.call("GET", inRoom(roomId, "context", root))],
    ["/event", () => alice.call("GET", inRoom(roomId, "event", unwanted))],
    ["/relations", () => alice.call("GET", `${v1}/rooms/${enc(roomId)}/relations/${enc(root)}`)],
    ["/search", () => alice.call("POST", "search", search)],
    ["/notifications", () => alice.call("GET", "notifications")],
  ])("is not in %s until the user is no longer ignored", async (_title, read) => {
    const isThere = async (): Promise<boolean> => (await read()).text.includes('"body":"unwanted"');
    expect(await isThere()).toBe(true);
    await ignore(bob);
    expect(await isThere()).toBe(false);
    await ignore();
    expect(await isThere()).toBe(true);
  });

  it("is not counted as unread", async () => {
    const carol = await acts.person();
    const other = await acts.makeRoom(alice, [carol]);
    const unread = async (): Promise<unknown> =>
      (await acts.sync(alice)).rooms.join[other].unread_notifications;
    await ignore(carol);
    await acts.say(carol, other, "not for alice");
    expect(await unread()).toEqual({ highlight_count: 0, notification_count: 0 });
    await ignore();
    await acts.say(carol, other, "for alice");
    expect(await unread()).toEqual({ highlight_count: 0, notification_count: 1 });
  });

  it("is delivered if it is a state change", async () => {
    const carol = await acts.person();
    const other = await acts.makeRoom(carol, [alice]);
    await ignore(carol);
    const { next_batch: since } = await acts.sync(alice);
    await acts.say(carol, other, "unseen");
    await acts.put(carol, other, "m.room.name", { name: "Received" });
    const { events } = (await acts.sync(alice, { since })).rooms.join[other].timeline;
    expect(events).toMatchObject([{ type: "m.room.name", content: { name: "Received" } }]);
    await ignore();
  });

  it("is hidden if it is an invitation, until the user is no longer ignored", async () => {
    const carol = await acts.person();
    await ignore(carol);
    const { next_batch: since } = await acts.sync(alice);
    const { json } = await carol.call("POST", "createRoom", { invite: [alice.userId] });
    expect((await acts.sync(alice, { since })).rooms.invite).toEqual({});
    expect((await acts.sync(alice)).rooms.invite).toEqual({});
    await ignore();
    expect(Object.keys((await acts.sync(alice)).rooms.invite)).toEqual([json.room_id]);
  });
});
