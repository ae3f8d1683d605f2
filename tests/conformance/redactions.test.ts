import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { inRoom, makeActs } from "../support/matrix-acts.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
const acts = makeActs(() => server);
const { makeRoom, say, put } = acts;
beforeAll(async () => {
  server = await openTestServer();
  [alice, bob] = [await acts.person("alice"), await acts.person("bob")];
});
afterAll(() => server.close());

let txns = 0;
const redact = (who: Person, roomId: string, event: string, reason?: string): ReturnType<Person["call"]> =>
  who.call("PUT", inRoom(roomId, "redact", event, `r${txns++}`), reason === undefined ? {} : { reason });
const read = async (roomId: string, event: string): Promise<any> =>
  (await alice.call("GET", inRoom(roomId, "event", event))).json;
const stateId = async (roomId: string, type: string): Promise<string> =>
  (await alice.call("GET", `${inRoom(roomId, "state", type)}?format=event`)).json.event_id;

describe("a redaction", () => {
  it.each<[string, (roomId: string) => Promise<[who: Person, event: string]>, number, string | undefined]>([
    ["the sender's own message", async (roomId) => [bob, await say(bob, roomId, "x")], 200, undefined],
    [
      "another user's message with the required level",
      async (roomId) => [alice, await say(bob, roomId, "x")],
      200,
      undefined,
    ],
    [
      "another user's message without it",
      async (roomId) => [bob, await say(alice, roomId, "x")],
      403,
      "M_FORBIDDEN",
    ],
    ["an unknown event", async () => [alice, "$nosuch"], 404, "M_NOT_FOUND"],
    [
      "an event of another room",
      async () => [alice, await say(alice, await makeRoom(alice), "x")],
      400,
      "M_INVALID_PARAM",
    ],
    [
      "the create event",
      async (roomId) => [alice, await stateId(roomId, "m.room.create")],
      403,
      "M_FORBIDDEN",
    ],
    [
      "the server ACL",
      async (roomId) => {
        await put(alice, roomId, "m.room.server_acl", { allow: ["*"] });
        return [alice, await stateId(roomId, "m.room.server_acl")];
      },
      403,
      "M_FORBIDDEN",
    ],
  ])("of %s", async (_title, prepare, status, code) => {
    const roomId = await makeRoom(alice, [bob]);
    const [who, event] = await prepare(roomId);
    const answer = await redact(who, roomId, event);
    expect([answer.status, answer.json.errcode]).toEqual([status, code]);
  });

  it("that targets a redaction removes its reason everywhere", async () => {
    const roomId = await makeRoom(alice);
    const event = await say(alice, roomId, "struck out");
    const { event_id: redaction } = (await redact(alice, roomId, event, "because of Bob")).json;
    expect((await read(roomId, event)).unsigned.redacted_because.content.reason).toBe("because of Bob");
    await redact(alice, roomId, redaction);
    for (const id of [event, redaction])
      expect(JSON.stringify(await read(roomId, id))).not.toContain("because of Bob");
    expect((await read(roomId, event)).unsigned.redacted_because.event_id).toBe(redaction);
  });

  it("also removes redacted state from later events", async () => {
    const roomId = await makeRoom(alice);
    await put(alice, roomId, "m.room.name", { name: "a secret" });
    const secret = await stateId(roomId, "m.room.name");
    await put(alice, roomId, "m.room.name", { name: "harmless" });
    const next = await read(roomId, await stateId(roomId, "m.room.name"));
    expect(next.unsigned.prev_content).toEqual({ name: "a secret" });
    await redact(alice, roomId, secret);
    expect((await read(roomId, next.event_id)).unsigned.prev_content).toEqual({});
    expect(JSON.stringify(await acts.sync(alice))).not.toContain("a secret");
  });

  it("lowers the unread count of an unread message and wakes waiting syncs", async () => {
    const roomId = await makeRoom(alice, [bob]);
    const mention = { "m.mentions": { user_ids: [bob.userId] } };
    const [first] = [await say(alice, roomId, "one", mention), await say(alice, roomId, "two")];
    const unread = async (): Promise<unknown> =>
      (await acts.sync(bob)).rooms.join[roomId].unread_notifications;
    expect(await unread()).toEqual({ highlight_count: 1, notification_count: 2 });
    const { next_batch: since } = await acts.sync(bob);
    await redact(alice, roomId, first);
    expect((await acts.sync(bob, { since })).rooms.join[roomId].timeline.events).toMatchObject([
      { type: "m.room.redaction", redacts: first },
    ]);
    expect(await unread()).toEqual({ highlight_count: 0, notification_count: 1 });
  });
});
