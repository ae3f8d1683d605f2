import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roomVersionIds } from "../../src/homeserver/rules/room-version.ts";
import { type Answer, openTestServer, type Person, type TestServer } from "../support/homeserver.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
let carol: Person;
beforeAll(async () => {
  server = await openTestServer();
  [alice, bob, carol] = [
    await server.register("alice"),
    await server.register("bob"),
    await server.register("carol"),
  ];
});
afterAll(() => server.close());

const enc = encodeURIComponent;
let txns = 0;

async function makeRoom(options: Record<string, unknown> = {}, ...members: Person[]): Promise<string> {
  const answer = await alice.call("POST", "createRoom", { preset: "public_chat", ...options });
  expect(answer.status, answer.text).toBe(200);
  for (const member of members) await member.call("POST", `join/${enc(answer.json.room_id)}`, {});
  return answer.json.room_id;
}

const say = (
  who: Person,
  roomId: string,
  body: string,
  more: Record<string, unknown> = {},
): Promise<Answer> =>
  who.call("PUT", `rooms/${enc(roomId)}/send/m.room.message/r${txns++}`, {
    msgtype: "m.text",
    body,
    ...more,
  });
const state = (who: Person, roomId: string, type: string, content: unknown, key = ""): Promise<Answer> =>
  who.call("PUT", `rooms/${enc(roomId)}/state/${type}/${enc(key)}`, content);
const history = async (who: Person, roomId: string): Promise<string[]> => {
  const { json } = await who.call("GET", `rooms/${enc(roomId)}/messages?dir=b&limit=100`);
  return json.chunk
    ?.filter((event: any) => event.content.body)
    .map((event: any) => event.content.body)
    .toReversed();
};

describe("every room version", () => {
  it.each(roomVersionIds)(
    "version %s supports creation, messages and redaction, with its own id format",
    async (version) => {
      const roomId = await makeRoom({ room_version: version }, bob);
      const create = await alice.call("GET", `rooms/${enc(roomId)}/state/m.room.create?format=event`);
      expect(create.json.content.room_version).toBe(version);
      expect(create.json.content.creator).toBe(Number(version) < 11 ? alice.userId : undefined);
      const { json } = await say(bob, roomId, "to be struck out", { extra: { nested: true } });
      expect(json.event_id).toMatch(
        Number(version) < 3 ? /^\$.+:rookery\.local$/ : version === "3" ? /^\$[\w+/]{43}$/ : /^\$[\w-]{43}$/,
      );
      const redacted = await alice.call(
        "PUT",
        `rooms/${enc(roomId)}/redact/${enc(json.event_id)}/x${txns++}`,
        { reason: "no" },
      );
      expect(redacted.status).toBe(200);
      const event = await bob.call("GET", `rooms/${enc(roomId)}/event/${enc(json.event_id)}`);
      expect(event.json.content).toEqual({});
      expect(event.json.unsigned.redacted_because).toMatchObject({
        sender: alice.userId,
        content: { reason: "no" },
      });
      const redaction = await bob.call("GET", `rooms/${enc(roomId)}/event/${enc(redacted.json.event_id)}`);
      expect([redaction.json.redacts, redaction.json.content.redacts]).toEqual([
        json.event_id,
        json.event_id,
      ]);
    },
  );

  it("keeps the required fields of redacted memberships and power levels", async () => {
    const roomId = await makeRoom({}, bob);
    const before = await alice.call(
      "GET",
      `rooms/${enc(roomId)}/state/m.room.member/${enc(bob.userId)}?format=event`,
    );
    await alice.call("PUT", `rooms/${enc(roomId)}/redact/${enc(before.json.event_id)}/x${txns++}`, {});
    const after = await alice.call("GET", `rooms/${enc(roomId)}/state/m.room.member/${enc(bob.userId)}`);
    expect(after.json).toEqual({ membership: "join" });
    expect((await say(bob, roomId, "still here")).status).toBe(200);
  });
});

describe("power levels", () => {
  it.each<[string, (roomId: string) => Promise<Answer>, number]>([
    ["bob cannot name the room", (r) => state(bob, r, "m.room.name", { name: "x" }), 403],
    [
      "bob cannot raise himself",
      (r) => state(bob, r, "m.room.power_levels", { users: { [bob.userId]: 100 } }),
      403,
    ],
    ["bob cannot set state with carol's id as its key", (r) => state(bob, r, "org.x", {}, carol.userId), 403],
    [
      "bob cannot kick alice",
      (r) => bob.call("POST", `rooms/${enc(r)}/kick`, { user_id: alice.userId }),
      403,
    ],
    ["bob cannot ban carol", (r) => bob.call("POST", `rooms/${enc(r)}/ban`, { user_id: carol.userId }), 403],
    [
      "bob cannot invite to a public room",
      (r) => bob.call("POST", `rooms/${enc(r)}/invite`, { user_id: "@x:y.z" }),
      403,
    ],
    [
      "bob cannot change another user's membership",
      (r) => state(bob, r, "m.room.member", { membership: "join" }, "@x:y.z"),
      403,
    ],
    ["alice cannot send a second create event", (r) => state(alice, r, "m.room.create", {}), 403],
    ["alice cannot set malformed levels", (r) => state(alice, r, "m.room.power_levels", { ban: "50" }), 400],
    ["alice names the room", (r) => state(alice, r, "m.room.name", { name: "x" }), 200],
    ["alice bans bob", (r) => alice.call("POST", `rooms/${enc(r)}/ban`, { user_id: bob.userId }), 200],
  ])("%s", async (_title, act, status) => {
    const roomId = await makeRoom({}, bob);
    expect((await act(roomId)).status).toBe(status);
  });

  it("permit actions when lowered and forbid them when raised", async () => {
    const roomId = await makeRoom(
      { power_level_content_override: { events: { "org.x": 0 }, events_default: 10 } },
      bob,
    );
    expect((await state(bob, roomId, "org.x", { a: 1 })).status).toBe(200);
    expect((await say(bob, roomId, "too low")).status).toBe(403);
  });
});

describe("membership", () => {
  it("needs an invitation with the join rule invite", async () => {
    const roomId = await makeRoom({ preset: "private_chat" });
    const join = (): Promise<Answer> => bob.call("POST", `join/${enc(roomId)}`, {});
    expect((await join()).status).toBe(403);
    await alice.call("POST", `rooms/${enc(roomId)}/invite`, { user_id: bob.userId });
    expect((await join()).status).toBe(200);
    expect((await alice.call("POST", `rooms/${enc(roomId)}/invite`, { user_id: bob.userId })).status).toBe(
      403,
    );
  });

  it("ends with a ban until an unban", async () => {
    const roomId = await makeRoom({}, bob);
    await alice.call("POST", `rooms/${enc(roomId)}/ban`, { user_id: bob.userId, reason: "spam" });
    expect((await bob.call("POST", `join/${enc(roomId)}`, {})).status).toBe(403);
    expect((await alice.call("POST", `rooms/${enc(roomId)}/invite`, { user_id: bob.userId })).status).toBe(
      403,
    );
    await alice.call("POST", `rooms/${enc(roomId)}/unban`, { user_id: bob.userId });
    expect((await bob.call("POST", `join/${enc(roomId)}`, {})).status).toBe(200);
  });

  it("can be requested by knocking", async () => {
    const rules = [{ type: "m.room.join_rules", state_key: "", content: { join_rule: "knock" } }];
    const roomId = await makeRoom({ initial_state: rules });
    expect((await bob.call("POST", `join/${enc(roomId)}`, {})).status).toBe(403);
    expect((await bob.call("POST", `knock/${enc(roomId)}`, { reason: "please" })).status).toBe(200);
    const { rooms } = (await bob.call("GET", "sync")).json;
    expect(rooms.knock[roomId].knock_state.events.map((event: any) => event.type)).toContain("m.room.create");
    await alice.call("POST", `rooms/${enc(roomId)}/invite`, { user_id: bob.userId });
    expect((await bob.call("POST", `join/${enc(roomId)}`, {})).status).toBe(200);
  });

  it("is open to members of another room with the join rule restricted", async () => {
    const gate = await makeRoom();
    const allow = [{ type: "m.room_membership", room_id: gate }];
    const rules = [{ type: "m.room.join_rules", state_key: "", content: { join_rule: "restricted", allow } }];
    const roomId = await makeRoom({ initial_state: rules });
    expect((await bob.call("POST", `join/${enc(roomId)}`, {})).status).toBe(403);
    await bob.call("POST", `join/${enc(gate)}`, {});
    expect((await bob.call("POST", `join/${enc(roomId)}`, {})).status).toBe(200);
    const member = await alice.call("GET", `rooms/${enc(roomId)}/state/m.room.member/${enc(bob.userId)}`);
    expect(member.json.join_authorised_via_users_server).toBe(alice.userId);
  });

  it("follows an upgrade: state, aliases, bans and the user's own settings", async () => {
    const roomId = await makeRoom({ name: "Old", room_alias_name: "upgraded" }, bob);
    await alice.call("POST", `rooms/${enc(roomId)}/ban`, { user_id: carol.userId });
    await bob.call("PUT", `pushrules/global/room/${enc(roomId)}`, { actions: ["dont_notify"] });
    const { json } = await alice.call("POST", `rooms/${enc(roomId)}/upgrade`, { new_version: "11" });
    const fresh: string = json.replacement_room;
    expect(
      (await alice.call("GET", `rooms/${enc(roomId)}/state/m.room.tombstone`)).json.replacement_room,
    ).toBe(fresh);
    expect(
      (await alice.call("GET", `rooms/${enc(fresh)}/state/m.room.create`)).json.predecessor.room_id,
    ).toBe(roomId);
    expect((await alice.call("GET", `rooms/${enc(fresh)}/state/m.room.name`)).json.name).toBe("Old");
    expect((await alice.call("GET", `directory/room/${enc("#upgraded:rookery.local")}`)).json.room_id).toBe(
      fresh,
    );
    expect((await carol.call("POST", `join/${enc(fresh)}`, {})).status).toBe(403);
    await bob.call("POST", `join/${enc(fresh)}`, {});
    expect((await bob.call("GET", `pushrules/global/room/${enc(fresh)}`)).json.actions).toEqual([
      "dont_notify",
    ]);
    expect((await say(bob, roomId, "old room")).status).toBe(403);
  });
});

describe("history", () => {
  it.each([
    ["world_readable", ["before", "invited", "joined"], ["before", "invited", "joined", "after"], true],
    ["shared", ["before", "invited", "joined"], ["before", "invited", "joined"], false],
    ["invited", ["invited", "joined"], ["invited", "joined"], false],
    ["joined", ["joined"], ["joined"], false],
  ])("%s: a member sees %j, and after leaving %j", async (visibility, member, departed, isOpen) => {
    const initial = [
      { type: "m.room.history_visibility", state_key: "", content: { history_visibility: visibility } },
    ];
    const roomId = await makeRoom({ preset: "private_chat", initial_state: initial });
    await say(alice, roomId, "before");
    await alice.call("POST", `rooms/${enc(roomId)}/invite`, { user_id: bob.userId });
    await say(alice, roomId, "invited");
    await bob.call("POST", `join/${enc(roomId)}`, {});
    await say(alice, roomId, "joined");
    expect(await history(bob, roomId)).toEqual(member);
    await bob.call("POST", `rooms/${enc(roomId)}/leave`, {});
    const last = await say(alice, roomId, "after");
    expect(await history(bob, roomId)).toEqual(departed);
    const peek = await bob.call("GET", `rooms/${enc(roomId)}/event/${enc(last.json.event_id)}`);
    expect(peek.status).toBe(isOpen ? 200 : 404);
    expect((await carol.call("GET", `rooms/${enc(roomId)}/messages?dir=b`)).status).toBe(isOpen ? 200 : 403);
  });

  it("pages in both directions without gaps or duplicates, and returns the context of an event", async () => {
    const roomId = await makeRoom();
    const ids: string[] = [];
    for (let i = 0; i < 25; i++) ids.push((await say(alice, roomId, `m${i}`)).json.event_id);
    const types = enc(JSON.stringify({ types: ["m.room.message"] }));
    const walk = async (direction: string): Promise<string[]> => {
      const seen: string[] = [];
      let from: string | undefined;
      do {
        const start = from === undefined ? "" : `&from=${from}`;
        const { json } = await alice.call(
          "GET",
          `rooms/${enc(roomId)}/messages?dir=${direction}&limit=7&filter=${types}${start}`,
        );
        seen.push(...json.chunk.map((event: any) => event.event_id));
        from = json.end;
      } while (from !== undefined);
      return seen;
    };
    expect(await walk("b")).toEqual(ids.toReversed());
    expect(await walk("f")).toEqual(ids);
    const { json } = await alice.call(
      "GET",
      `rooms/${enc(roomId)}/context/${enc(ids[12] as string)}?limit=4`,
    );
    expect(json.events_before.map((event: any) => event.event_id)).toEqual([ids[11], ids[10]]);
    expect(json.events_after.map((event: any) => event.event_id)).toEqual([ids[13], ids[14]]);
  });

  it("is searchable, newest first on request, without redacted and hidden events", async () => {
    const roomId = await makeRoom();
    const hidden = await makeRoom({ preset: "private_chat" });
    await say(alice, hidden, "the heron is hidden");
    const first = (await say(alice, roomId, "a heron by the lake")).json.event_id;
    const struck = (await say(alice, roomId, "that heron again")).json.event_id;
    const second = (await say(alice, roomId, "two herons and a heron")).json.event_id;
    await bob.call("POST", `join/${enc(roomId)}`, {});
    await alice.call("PUT", `rooms/${enc(roomId)}/redact/${enc(struck)}/x${txns++}`, {});
    const search = async (who: Person): Promise<string[]> => {
      const criteria = { search_term: "heron", order_by: "recent", keys: ["content.body"] };
      const { json } = await who.call("POST", "search", { search_categories: { room_events: criteria } });
      return json.search_categories.room_events.results.map(({ result }: any) => result.event_id);
    };
    expect(await search(bob)).toEqual([second, first]);
    expect(await search(alice)).toHaveLength(3);
    expect(await search(carol)).toEqual([]);
  });

  it("is found with a limited number of messages around all results", async () => {
    const roomId = await makeRoom();
    for (let n = 0; n < 130; n++) await say(alice, roomId, `egret ${n}`);
    const find = async (limit: number): Promise<any[]> => {
      const context = { before_limit: 1_000, after_limit: 1_000 };
      const criteria = { search_term: "egret egret", filter: { limit }, event_context: context };
      const { json } = await alice.call("POST", "search", { search_categories: { room_events: criteria } });
      return json.search_categories.room_events.results;
    };
    const [few, many] = [await find(2), await find(100)];
    expect([few.length, many.length]).toEqual([2, 100]);
    const count = (results: any[], side: string): number[] => results.map((hit) => hit.context[side].length);
    for (const side of ["events_before", "events_after"]) {
      expect(Math.max(...count(few, side), 0)).toBeLessThanOrEqual(50);
      expect(Math.max(...count(many, side))).toBe(5);
    }
    expect(Math.max(...count(few, "events_before"), ...count(few, "events_after"))).toBe(50);
  });
});

describe("sending", () => {
  it("happens once per transaction id, device and room", async () => {
    const [one, two] = [await makeRoom(), await makeRoom()];
    const send = (roomId: string, body: string): Promise<Answer> =>
      alice.call("PUT", `rooms/${enc(roomId)}/send/m.room.message/same`, { msgtype: "m.text", body });
    const first = (await send(one, "a")).json.event_id;
    expect((await send(one, "another")).json.event_id).toBe(first);
    expect((await send(two, "a")).json.event_id).not.toBe(first);
    await server.restart();
    expect((await send(one, "after a restart")).json.event_id).toBe(first);
  });

  it("unchanged state has no effect", async () => {
    const roomId = await makeRoom();
    const first = await state(alice, roomId, "org.x", { a: 1, b: [2] });
    expect((await state(alice, roomId, "org.x", { b: [2], a: 1 })).json.event_id).toBe(first.json.event_id);
    expect((await state(alice, roomId, "org.x", { a: 2 })).json.event_id).not.toBe(first.json.event_id);
  });

  it("bundles threads, edits and references, and lists relations with recursion", async () => {
    const roomId = await makeRoom({}, bob);
    const root = (await say(alice, roomId, "root")).json.event_id;
    const relate = (type: string): Record<string, unknown> => ({
      "m.relates_to": { rel_type: type, event_id: root },
    });
    const reply = (await say(bob, roomId, "reply", relate("m.thread"))).json.event_id;
    await say(alice, roomId, "* edited", { "m.new_content": { body: "edited" }, ...relate("m.replace") });
    await say(bob, roomId, "* forged", { "m.new_content": { body: "forged" }, ...relate("m.replace") });
    const reference = (await say(bob, roomId, "see", relate("m.reference"))).json.event_id;
    const onReply = { "m.relates_to": { rel_type: "m.annotation", event_id: reply, key: "+" } };
    await bob.call("PUT", `rooms/${enc(roomId)}/send/m.reaction/x${txns++}`, onReply);
    const { unsigned } = (await bob.call("GET", `rooms/${enc(roomId)}/event/${enc(root)}`)).json;
    expect(unsigned["m.relations"]["m.thread"]).toMatchObject({
      count: 1,
      latest_event: { event_id: reply },
    });
    expect(unsigned["m.relations"]["m.replace"].content["m.new_content"].body).toBe("edited");
    expect(unsigned["m.relations"]["m.reference"]).toEqual({ chunk: [{ event_id: reference }] });
    const path = `/_matrix/client/v1/rooms/${enc(roomId)}/relations/${enc(root)}`;
    expect((await bob.call("GET", path)).json.chunk).toHaveLength(4);
    expect((await bob.call("GET", `${path}?recurse=true`)).json.chunk).toHaveLength(5);
    const threads = await bob.call(
      "GET",
      `/_matrix/client/v1/rooms/${enc(roomId)}/threads?include=participated`,
    );
    expect(threads.json.chunk.map((event: any) => event.event_id)).toEqual([root]);
  });
});

describe("the directory", () => {
  it("lists public rooms by size, in pages, and by name", async () => {
    const big = await makeRoom({ visibility: "public", name: "Aviary one" }, bob, carol);
    const small = await makeRoom({ visibility: "public", name: "Aviary two" });
    await makeRoom({ name: "Aviary three" });
    const ask = async (body: unknown): Promise<any> => (await bob.call("POST", "publicRooms", body)).json;
    const filter = { generic_search_term: "aviary" };
    const first = await ask({ filter, limit: 1 });
    expect(first.chunk.map((room: any) => room.room_id)).toEqual([big]);
    const second = await ask({ filter, limit: 1, since: first.next_batch });
    expect(second.chunk.map((room: any) => room.room_id)).toEqual([small]);
    expect(second).not.toHaveProperty("next_batch");
  });

  it("finds only users in shared or open rooms", async () => {
    const hermit = await server.register("hermit");
    const find = async (): Promise<string[]> =>
      (await bob.call("POST", "user_directory/search", { search_term: "herm" })).json.results.map(
        (u: any) => u.user_id,
      );
    expect(await find()).toEqual([]);
    await hermit.call("POST", "createRoom", { preset: "public_chat" });
    expect(await find()).toEqual([hermit.userId]);
  });

  it("lists the visible rooms of a space", async () => {
    const space = await makeRoom({ creation_content: { type: "m.space" }, name: "Space" }, bob);
    const [open, closed] = [await makeRoom({ name: "Open" }), await makeRoom({ preset: "private_chat" })];
    for (const child of [open, closed])
      await state(alice, space, "m.space.child", { via: ["rookery.local"] }, child);
    const { json } = await bob.call("GET", `/_matrix/client/v1/rooms/${enc(space)}/hierarchy`);
    expect(json.rooms.map((room: any) => room.room_id)).toEqual([space, open]);
    expect(json.rooms[0].children_state).toHaveLength(2);
  });
});
