import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { enc, inRoom, makeActs } from "../support/matrix-acts.ts";

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

describe("a user", () => {
  it("proves their identity with an OpenID token that grants no access", async () => {
    const { json } = await alice.call("POST", `user/${enc(alice.userId)}/openid/request_token`, {});
    expect(json).toMatchObject({
      token_type: "Bearer",
      matrix_server_name: "rookery.local",
      expires_in: 3600,
    });
    const info = await server.call(
      "GET",
      `/_matrix/federation/v1/openid/userinfo?access_token=${json.access_token}`,
    );
    expect(info.json).toEqual({ sub: alice.userId });
    const opened = await server.call("GET", "account/whoami", undefined, {
      Authorization: `Bearer ${json.access_token}`,
    });
    expect(opened.status).toBe(401);
  });

  it("can list their own connections", async () => {
    const { json } = await alice.call("GET", `admin/whois/${enc(alice.userId)}`);
    expect(json.user_id).toBe(alice.userId);
    expect(json.devices[alice.deviceId].sessions[0].connections[0]).toMatchObject({
      ip: expect.any(String),
      last_seen: expect.any(Number),
    });
  });

  it("can be reported", async () => {
    const { status, json } = await alice.call("POST", `users/${enc(bob.userId)}/report`, { reason: "spam" });
    expect([status, json]).toEqual([200, {}]);
  });
});

describe("a room", () => {
  it("returns its alias on creation and has a summary by alias", async () => {
    const made = await alice.call("POST", "createRoom", {
      preset: "public_chat",
      room_alias_name: "summary",
      name: "S",
    });
    expect(made.json.room_alias).toBe("#summary:rookery.local");
    await put(alice, made.json.room_id, "m.room.encryption", { algorithm: "m.megolm.v1.aes-sha2" });
    const { json } = await bob.call(
      "GET",
      `/_matrix/client/v1/room_summary/${enc("#summary:rookery.local")}`,
    );
    expect(json).toEqual({
      ...{
        room_id: made.json.room_id,
        name: "S",
        canonical_alias: "#summary:rookery.local",
        room_version: "10",
      },
      num_joined_members: 1,
      join_rule: "public",
      guest_can_join: false,
      world_readable: false,
      encryption: "m.megolm.v1.aes-sha2",
    });
    const own = await alice.call("GET", `/_matrix/client/v1/room_summary/${enc(made.json.room_id)}`);
    expect(own.json.membership).toBe("join");
  });

  it("lists the rooms whose members may join it", async () => {
    const space = await makeRoom(alice);
    const content = {
      join_rule: "restricted",
      allow: [{ type: "m.room_membership", room_id: space }, "broken"],
    };
    const roomId = await makeRoom(alice, [], {
      initial_state: [{ type: "m.room.join_rules", state_key: "", content }],
    });
    const { json } = await alice.call("GET", `/_matrix/client/v1/room_summary/${enc(roomId)}`);
    expect(json).toMatchObject({ join_rule: "restricted", allowed_room_ids: [space] });
  });

  it.each([
    [0, []],
    [2, ["two", "three"]],
  ])("is read by older clients: its newest %s messages, oldest first", async (limit, bodies) => {
    const roomId = await makeRoom(alice, [bob]);
    for (const body of ["one", "two", "three"]) await say(alice, roomId, body);
    await bob.call("PUT", `user/${enc(bob.userId)}/rooms/${enc(roomId)}/tags/u.x`, {});
    const { json } = await bob.call("GET", `${inRoom(roomId, "initialSync")}?limit=${limit}`);
    expect(json).toMatchObject({ room_id: roomId, membership: "join", visibility: "private" });
    expect(json.messages.chunk.map(({ content }: any) => content.body)).toEqual(bodies);
    expect(json.state.map(({ type }: any) => type)).toContain("m.room.create");
    expect(json.account_data).toEqual([{ type: "m.tag", content: { tags: { "u.x": {} } } }]);
  });

  it("redacts an event without a transaction id", async () => {
    const roomId = await makeRoom(alice);
    const event = await say(alice, roomId, "struck out");
    expect((await alice.call("POST", inRoom(roomId, "redact", event), {})).status).toBe(200);
    const { json } = await alice.call("GET", inRoom(roomId, "event", event));
    expect(json.content).toEqual({});
    expect(json.unsigned.redacted_by).toBe(json.unsigned.redacted_because.event_id);
  });
});

describe("the user directory", () => {
  const finds = async (who: Person, term: string, path = "user_directory/search"): Promise<string[]> =>
    (await who.call("POST", path, { search_term: term })).json.results.map(({ user_id: id }: any) => id);

  it("lists members of open rooms, including the searching user, while the room is open", async () => {
    const dora = await acts.person("dora");
    await dora.call("PUT", `profile/${enc(dora.userId)}/displayname`, { displayname: "Dora the Explorer" });
    const roomId = await makeRoom(dora, [], { preset: "private_chat" });
    expect(await finds(dora, "explorer")).toEqual([]);
    await put(dora, roomId, "m.room.history_visibility", { history_visibility: "world_readable" });
    expect(await finds(dora, "explorer")).toEqual([dora.userId]);
    expect(await finds(bob, "explorer", "/_matrix/client/unstable/user_directory/search")).toEqual([
      dora.userId,
    ]);
    await put(dora, roomId, "m.room.history_visibility", { history_visibility: "shared" });
    expect(await finds(bob, "explorer")).toEqual([]);
    await put(dora, roomId, "m.room.join_rules", { join_rule: "public" });
    expect(await finds(bob, "explorer")).toEqual([dora.userId]);
  });
});

describe("notifications", () => {
  it("are unread events, and read ones that mention the user", async () => {
    const roomId = await makeRoom(alice, [bob]);
    const list = async (): Promise<[string, boolean][]> =>
      (await alice.call("GET", "notifications")).json.notifications.map(({ event, read }: any) => [
        event.content.body,
        read,
      ]);
    await say(bob, roomId, "plain");
    const last = await say(bob, roomId, "for you", { "m.mentions": { user_ids: [alice.userId] } });
    expect(await list()).toEqual([
      ["for you", false],
      ["plain", false],
    ]);
    await alice.call("POST", inRoom(roomId, "receipt", "m.read", last), {});
    expect(await list()).toEqual([["for you", true]]);
  });
});
