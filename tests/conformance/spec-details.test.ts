import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { enc, inRoom, makeActs } from "../support/matrix-acts.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
const acts = makeActs(() => server);

beforeAll(async () => {
  server = await openTestServer();
  [alice, bob] = [await server.register("alice"), await server.register("bob")];
});
afterAll(() => server.close());

describe("history visibility joined", () => {
  it.each([true, false])(
    "a member who rejoins learns of joins in the meantime (with a since token: %s)",
    async (isIncremental) => {
      const carol = await acts.person("carol");
      const roomId = await acts.makeRoom(alice, [bob], {
        initial_state: [{ type: "m.room.history_visibility", content: { history_visibility: "joined" } }],
      });
      const { next_batch: before } = await acts.sync(bob);
      await bob.call("POST", inRoom(roomId, "leave"), {});
      await carol.call("POST", `join/${enc(roomId)}`, {});
      await acts.say(carol, roomId, "while bob is away");
      await bob.call("POST", `join/${enc(roomId)}`, {});
      const section = (await acts.sync(bob, isIncremental ? { since: before } : {})).rooms.join[roomId];
      const members = [...section.state.events, ...section.timeline.events]
        .filter(({ type }: any) => type === "m.room.member")
        .map(({ state_key, content }: any) => [state_key, content.membership]);
      expect(Object.fromEntries(members)).toEqual({
        [alice.userId]: "join",
        [bob.userId]: "join",
        [carol.userId]: "join",
      });
      expect(JSON.stringify(section)).not.toContain("while bob is away");
    },
  );
});

describe("a reaction", () => {
  const reaction = (parent: string, key: string): object => ({
    "m.relates_to": { rel_type: "m.annotation", event_id: parent, key },
  });

  it("is accepted once per user, event and key, and again after it was redacted", async () => {
    const roomId = await acts.makeRoom(alice, [bob]);
    const parent = await acts.say(alice, roomId, "vote");
    let txn = 0;
    const react = (who: Person, key: string, type = "m.reaction") =>
      who.call("PUT", inRoom(roomId, "send", type, `r${txn++}`), reaction(parent, key));
    const first = await react(alice, "👍");
    expect(first.status).toBe(200);
    const again = await react(alice, "👍");
    expect([again.status, again.json.errcode]).toEqual([400, "M_DUPLICATE_ANNOTATION"]);
    expect((await react(alice, "👎")).status).toBe(200);
    expect((await react(bob, "👍")).status).toBe(200);
    expect((await react(alice, "👍", "org.example.vote")).status).toBe(200);
    await alice.call("PUT", inRoom(roomId, "redact", first.json.event_id, "undo"), {});
    expect((await react(alice, "👍")).status).toBe(200);
  });

  it("repeated with the same transaction id is the same event", async () => {
    const roomId = await acts.makeRoom(alice);
    const parent = await acts.say(alice, roomId, "vote");
    const send = () => alice.call("PUT", inRoom(roomId, "send", "m.reaction", "once"), reaction(parent, "x"));
    const [first, second] = [await send(), await send()];
    expect([second.status, second.json]).toEqual([200, first.json]);
  });
});

describe("a device", () => {
  it("is listed with a display name, even if it has none", async () => {
    const { devices } = (await alice.call("GET", "devices")).json;
    expect(devices).toMatchObject([{ device_id: alice.deviceId, display_name: "" }]);
    const one = await alice.call("GET", `devices/${alice.deviceId}`);
    expect(one.json).toMatchObject({ user_id: alice.userId, display_name: "" });
  });
});

describe("the room summary", () => {
  it.each([
    "/_matrix/client/unstable/im.nheko.summary/summary/",
    "/_matrix/client/unstable/im.nheko.summary/rooms/{room}/summary",
    "/_matrix/client/v1/room_summary/",
  ])("is served under %s", async (path) => {
    const roomId = await acts.makeRoom(alice, [], { name: "Summary" });
    const full = path.includes("{room}") ? path.replace("{room}", enc(roomId)) : path + enc(roomId);
    const answer = await bob.call("GET", full);
    expect([answer.status, answer.json.name]).toEqual([200, "Summary"]);
  });
});

describe("an invited user", () => {
  it("has a display name, which is the user name by default", async () => {
    const roomId = await acts.makeRoom(alice, [], { invite: [bob.userId] });
    const member = await alice.call("GET", inRoom(roomId, "state", "m.room.member", bob.userId));
    expect(member.json).toMatchObject({ membership: "invite", displayname: "bob" });
    const { invite } = (await acts.sync(bob)).rooms;
    const own = invite[roomId].invite_state.events.find((event: any) => event.state_key === bob.userId);
    expect(own.content.displayname).toBe("bob");
  });
});

describe("push rules", () => {
  const rule = { actions: ["notify"], conditions: [] };

  it("are listed by kind", async () => {
    const all = (await alice.call("GET", "pushrules/")).json.global;
    for (const kind of Object.keys(all)) {
      const { status, json } = await alice.call("GET", `pushrules/global/${kind}/`);
      expect([status, json]).toEqual([200, all[kind]]);
    }
  });

  it.each<[string, string, string, object?]>([
    ["an unknown action", "PUT", "global/override/x", { ...rule, actions: ["shout"] }],
    [
      "an unknown action of a known rule",
      "PUT",
      "global/override/.m.rule.master/actions",
      { actions: ["x"] },
    ],
    ["a tweak without a name", "PUT", "global/override/x", { ...rule, actions: [{ value: "x" }] }],
    ["no actions", "PUT", "global/override/x", { conditions: [] }],
    ["no conditions", "PUT", "global/override/x", { actions: [] }],
    ["no conditions of an underride rule", "PUT", "global/underride/x", { actions: [] }],
    ["a condition without a kind", "PUT", "global/override/x", { ...rule, conditions: [{ key: "type" }] }],
    ["no pattern", "PUT", "global/content/x", { actions: [] }],
    ["an unknown scope", "PUT", "nosuch/override/x", rule],
    ["an unknown kind", "PUT", "global/nosuch/x", rule],
    ["an unknown attribute", "PUT", "global/override/.m.rule.master/colour", { colour: "red" }],
    ["enabled without a boolean", "PUT", "global/override/.m.rule.master/enabled", { enabled: "yes" }],
    ["a rule id with a slash", "PUT", "global/override/a%2Fb", rule],
    ["an unknown scope to read", "GET", "nosuch/override/x"],
    ["an unknown scope to list", "GET", "nosuch/"],
    ["an unknown kind to list", "GET", "global/nosuch/"],
    ["an unknown attribute to read", "GET", "global/override/.m.rule.master/colour"],
    ["a scope without a slash", "GET", "global"],
    ["a kind without a slash", "GET", "global/override"],
    ["an unknown scope to delete", "DELETE", "nosuch/override/x"],
  ])("%s is rejected with 400", async (_what, method, path, body) => {
    const answer = await alice.call(method, `pushrules/${path}`, body);
    expect([answer.status, answer.json.errcode]).toEqual([400, expect.stringMatching(/^M_/)]);
  });
});

describe("a malformed request", () => {
  const state = (type: string, content: object): [string, string, object] => [
    "PUT",
    `rooms/{room}/state/${type}`,
    content,
  ];
  const pusher = {
    app_id: "app",
    pushkey: "key",
    kind: "http",
    lang: "en",
    app_display_name: "App",
    device_display_name: "Phone",
  };

  it.each<[string, string, string, object?]>([
    ["a join rule that is not a string", ...state("m.room.join_rules", { join_rule: 5 })],
    ["an unknown history visibility", ...state("m.room.history_visibility", { history_visibility: "x" })],
    ["an unknown membership to list", "GET", "rooms/{room}/members?membership=x"],
    ["an unknown membership to exclude", "GET", "rooms/{room}/members?not_membership=x"],
    ["a field with a backslash", "POST", "user/{user}/filter", { event_fields: ["\\\\foo"] }],
    [
      "an unknown search key",
      "POST",
      "search",
      { search_categories: { room_events: { search_term: "x", keys: ["x"] } } },
    ],
    ["a preset that is named like an inherited property", "POST", "createRoom", { preset: "constructor" }],
    [
      "more invitations than a new room may have",
      "POST",
      "createRoom",
      { invite: Array.from({ length: 501 }, (_, n) => `@u${n}:rookery.local`) },
    ],
    [
      "more initial state than a new room may have",
      "POST",
      "createRoom",
      {
        initial_state: Array.from({ length: 501 }, (_, n) => ({
          type: "m.x",
          state_key: `${n}`,
          content: {},
        })),
      },
    ],
    [
      "more words to search for than a person types",
      "POST",
      "search",
      {
        search_categories: {
          room_events: { search_term: Array.from({ length: 33 }, (_, n) => `w${n}`).join(" ") },
        },
      },
    ],
    ["a message that is not an object", "PUT", "sendToDevice/m.x/1", { messages: { "{user}": { "*": 5 } } }],
    ["a pusher without a URL", "POST", "pushers/set", { ...pusher, data: {} }],
    [
      "a pusher with another path",
      "POST",
      "pushers/set",
      { ...pusher, data: { url: "https://push.example/other" } },
    ],
  ])("with %s is rejected with 400", async (_what, method, path, body) => {
    const roomId = await acts.makeRoom(alice);
    const fill = (template: string): string =>
      template.replace("{room}", enc(roomId)).replace("{user}", enc(alice.userId));
    const text = body && JSON.stringify(body).replace("{user}", alice.userId);
    const answer = await alice.call(method, fill(path), text);
    expect([answer.status, answer.json.errcode]).toEqual([400, expect.stringMatching(/^M_/)]);
  });
});

describe("a full disk", () => {
  it("is reported as such, stores nothing, and the server recovers", async () => {
    const roomId = await acts.makeRoom(alice);
    const { db } = server.homeserver.services;
    const pages = db.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
    const send = (txn: string) =>
      alice.call("PUT", inRoom(roomId, "send", "m.room.message", txn), { body: "x".repeat(60_000) });
    db.get(`PRAGMA max_page_count = ${pages}`);
    let refused = await send("f0");
    for (let n = 1; refused.status === 200 && n < 50; n++) refused = await send(`f${n}`);
    expect([refused.status, refused.json.errcode]).toEqual([507, "M_UNKNOWN"]);
    expect(refused.json.error).toMatch(/disk is full/);
    expect((await alice.call("GET", inRoom(roomId, "state"))).status).toBe(200);
    db.get("PRAGMA max_page_count = 1000000");
    expect((await send("after")).status).toBe(200);
  });
});
