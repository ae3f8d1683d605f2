import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  makePerson,
  openTestServer,
  password,
  type Person,
  type TestServer,
} from "../support/homeserver.ts";
import { enc, inRoom, makeActs } from "../support/matrix-acts.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
const acts = makeActs(() => server);
const { makeRoom, sync } = acts;
beforeAll(async () => {
  server = await openTestServer();
  [alice, bob] = [await acts.person("alice"), await acts.person("bob")];
});
afterAll(() => server.close());

const get = async (who: Person, path: string): Promise<any> => (await who.call("GET", path)).json;
const done = async (answer: Promise<Answer>): Promise<void> => {
  const { status, json, text } = await answer;
  expect([status, json], text).toEqual([200, {}]);
};
const login = async (who: Person, more: object = {}): Promise<any> =>
  (
    await server.call("POST", "login", {
      type: "m.login.password",
      identifier: { type: "m.id.user", user: who.userId },
      password,
      ...more,
    })
  ).json;

describe("the server", () => {
  it("describes itself without a token", async () => {
    const { versions } = (await server.call("GET", "/_matrix/client/versions")).json;
    expect(versions).toEqual(expect.arrayContaining(["r0.6.1", "v1.1", "v1.11"]));
    expect((await server.call("GET", "/.well-known/matrix/client")).json["m.homeserver"].base_url).toMatch(
      /^http/,
    );
    expect((await server.call("GET", "login")).json.flows).toEqual([{ type: "m.login.password" }]);
    expect((await server.call("GET", "register/available?username=nobody-yet")).json).toEqual({
      available: true,
    });
  });

  it("lists its capabilities for signed-in users", async () => {
    const { capabilities } = await get(alice, "capabilities");
    expect(capabilities["m.change_password"]).toEqual({ enabled: true });
    const { default: usual, available } = capabilities["m.room_versions"];
    expect(available[usual]).toBe("stable");
    expect(await get(alice, "voip/turnServer")).toEqual({});
    expect(await get(alice, "thirdparty/protocols")).toEqual({});
    expect(await get(alice, "account/3pid")).toEqual({ threepids: [] });
    for (const path of ["/_matrix/media/v3/config", "/_matrix/client/v1/media/config"])
      expect((await get(alice, path))["m.upload.size"]).toBe(5_000_000);
  });
});

describe("sessions", () => {
  it("are refreshed: using the new token pair revokes the old one", async () => {
    const first = await login(alice, { refresh_token: true });
    expect(first.expires_in_ms).toBeGreaterThan(0);
    const { json: second } = await server.call("POST", "refresh", { refresh_token: first.refresh_token });
    expect(Object.keys(second).toSorted()).toEqual(["access_token", "expires_in_ms", "refresh_token"]);
    const whoami = async (token: string): Promise<Answer> =>
      server.call("GET", "account/whoami", undefined, { Authorization: `Bearer ${token}` });
    expect((await whoami(second.access_token)).json.device_id).toBe(first.device_id);
    expect((await whoami(first.access_token)).status).toBe(401);
    const again = await server.call("POST", "refresh", { refresh_token: first.refresh_token });
    expect([again.status, again.json.errcode]).toEqual([401, "M_UNKNOWN_TOKEN"]);
  });

  it("expire softly: the device stays, and its refresh token returns a new access token", async () => {
    let ahead = 0;
    const other = await openTestServer({ clock: () => Date.now() + ahead });
    try {
      const eve = await other.register("eve");
      const { json } = await other.call("POST", "login", {
        type: "m.login.password",
        user: eve.userId,
        password,
        refresh_token: true,
      });
      ahead = json.expires_in_ms + 1_000;
      const expired = await makePerson(other, json).call("GET", "account/whoami");
      expect([expired.status, expired.json.errcode, expired.json.soft_logout]).toEqual([
        401,
        "M_UNKNOWN_TOKEN",
        true,
      ]);
      expect((await other.call("POST", "refresh", { refresh_token: json.refresh_token })).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it("can all be signed out at once", async () => {
    const dora = await acts.person();
    const other = makePerson(server, await login(dora));
    await done(dora.call("POST", "logout/all", {}));
    for (const who of [dora, other]) expect((await who.call("GET", "account/whoami")).status).toBe(401);
  });

  it("are listed, renamed and deleted in bulk by device", async () => {
    const dora = await acts.person();
    for (const id of ["ONE", "TWO"])
      await login(dora, { device_id: id, initial_device_display_name: `display ${id}` });
    const { devices } = await get(dora, "devices");
    expect(devices.map(({ device_id: id, user_id, display_name: name }: any) => [id, user_id, name])).toEqual(
      [
        [dora.deviceId, dora.userId, ""],
        ["ONE", dora.userId, "display ONE"],
        ["TWO", dora.userId, "display TWO"],
      ],
    );
    await done(dora.call("PUT", "devices/ONE", { display_name: "new" }));
    expect((await get(dora, "devices/ONE")).display_name).toBe("new");
    const auth = { type: "m.login.password", user: dora.userId, password };
    await done(dora.call("POST", "delete_devices", { devices: ["ONE", "TWO", "NEVER"], auth }));
    expect((await get(dora, "devices")).devices).toHaveLength(1);
  });
});

describe("user data", () => {
  it.each(["account_data/test.key", "rooms/!r:rookery.local/account_data/test.key"])(
    "is stored: %s",
    async (path) => {
      const fullPath = `user/${enc(alice.userId)}/${path}`;
      for (const value of ["first", "second"]) {
        await done(alice.call("PUT", fullPath, { value }));
        expect(await get(alice, fullPath)).toEqual({ value });
      }
    },
  );

  it("syncs room tags, including the removal of the last one", async () => {
    const roomId = await makeRoom(alice);
    const tags = `user/${enc(alice.userId)}/rooms/${enc(roomId)}/tags`;
    await done(alice.call("PUT", `${tags}/test_tag`, { order: 1 }));
    expect(await get(alice, tags)).toEqual({ tags: { test_tag: { order: 1 } } });
    const first = await sync(alice);
    expect(first.rooms.join[roomId].account_data.events).toEqual([
      { type: "m.tag", content: { tags: { test_tag: { order: 1 } } } },
    ]);
    await done(alice.call("DELETE", `${tags}/test_tag`));
    const second = await sync(alice, { since: first.next_batch });
    expect(second.rooms.join[roomId].account_data.events).toEqual([{ type: "m.tag", content: { tags: {} } }]);
  });

  it("returns a filter unchanged", async () => {
    const filter = { room: { timeline: { limit: 10 } }, event_format: "client" };
    const { filter_id: id } = (await alice.call("POST", `user/${enc(alice.userId)}/filter`, filter)).json;
    expect(await get(alice, `user/${enc(alice.userId)}/filter/${id}`)).toEqual(filter);
  });

  it("shows display name and avatar without a token, and removes them", async () => {
    const profile = `profile/${enc(bob.userId)}`;
    await done(bob.call("PUT", `${profile}/displayname`, { displayname: "Bob" }));
    await done(bob.call("PUT", `${profile}/avatar_url`, { avatar_url: "mxc://rookery.local/a" }));
    const seen = async (path: string): Promise<any> => (await server.call("GET", path)).json;
    expect(await seen(profile)).toEqual({ displayname: "Bob", avatar_url: "mxc://rookery.local/a" });
    expect(await seen(`${profile}/displayname`)).toEqual({ displayname: "Bob" });
    expect(await seen(`${profile}/avatar_url`)).toEqual({ avatar_url: "mxc://rookery.local/a" });
    await done(bob.call("PUT", `${profile}/avatar_url`, { avatar_url: "" }));
    expect(await seen(profile)).toEqual({ displayname: "Bob" });
  });

  it("reports presence with its status message", async () => {
    await done(
      alice.call("PUT", `presence/${enc(alice.userId)}/status`, {
        presence: "unavailable",
        status_msg: "lunch",
      }),
    );
    expect(await get(alice, `presence/${enc(alice.userId)}/status`)).toEqual({
      presence: "unavailable",
      status_msg: "lunch",
      currently_active: false,
      last_active_ago: expect.any(Number),
    });
  });
});

describe("push rules", () => {
  const rules = "pushrules/global";
  const ids = async (who: Person, kind: string): Promise<string[]> =>
    (await get(who, "pushrules/")).global[kind].map(({ rule_id: id }: any) => id);

  it("are initially those of the specification, and each can be disabled and enabled", async () => {
    const { global } = await get(alice, "pushrules/");
    expect(Object.keys(global).toSorted()).toEqual(["content", "override", "room", "sender", "underride"]);
    expect(await get(alice, `${rules}/`)).toEqual(global);
    for (const [kind, list] of Object.entries<any[]>(global))
      for (const rule of list)
        for (const enabled of [false, true]) {
          const path = `${rules}/${kind}/${enc(rule.rule_id)}/enabled`;
          await done(alice.call("PUT", path, { enabled }));
          expect(await get(alice, path)).toEqual({ enabled });
        }
  });

  it("are ordered newest first, or as the client requests", async () => {
    const carol = await acts.person();
    const add = (id: string, place = ""): Promise<void> =>
      done(carol.call("PUT", `${rules}/room/${enc(id)}${place}`, { actions: ["notify"] }));
    await add("!a:x");
    await add("!b:x");
    expect(await ids(carol, "room")).toEqual(["!b:x", "!a:x"]);
    await add("!c:x", `?after=${enc("!b:x")}`);
    await add("!d:x", `?before=${enc("!a:x")}`);
    expect(await ids(carol, "room")).toEqual(["!b:x", "!c:x", "!d:x", "!a:x"]);
    await add("!b:x", `?after=${enc("!a:x")}`);
    expect(await ids(carol, "room")).toEqual(["!c:x", "!d:x", "!a:x", "!b:x"]);
    await done(carol.call("DELETE", `${rules}/room/${enc("!a:x")}`));
    expect(await ids(carol, "room")).toEqual(["!c:x", "!d:x", "!b:x"]);
  });

  it.each<[string, string, object]>([
    ["room", "!spam:example.com", {}],
    ["sender", "@bob:example.com", {}],
    ["content", "my_content_rule", { pattern: "my_pattern" }],
    [
      "override",
      "my_rule",
      { conditions: [{ kind: "event_match", key: "content.msgtype", pattern: "m.notice" }] },
    ],
    ["underride", "my_rule", { conditions: [] }],
  ])("of kind %s are stored unchanged, and their actions can be replaced", async (kind, id, more) => {
    const path = `${rules}/${kind}/${enc(id)}`;
    await done(alice.call("PUT", path, { actions: ["notify"], ...more }));
    expect(await get(alice, path)).toEqual({
      rule_id: id,
      default: false,
      enabled: true,
      actions: ["notify"],
      ...more,
    });
    const actions = ["notify", { set_tweak: "sound", value: "bing" }];
    await done(alice.call("PUT", `${path}/actions`, { actions }));
    expect(await get(alice, `${path}/actions`)).toEqual({ actions });
  });

  it("stay disabled when they are replaced", async () => {
    const path = `${rules}/room/${enc("!off:x")}`;
    for (const actions of [["notify"], []]) {
      await done(alice.call("PUT", path, { actions }));
      await done(alice.call("PUT", `${path}/enabled`, { enabled: false }));
      await done(alice.call("PUT", path, { actions }));
      expect(await get(alice, path)).toMatchObject({ enabled: false, actions });
    }
  });

  it("wake waiting syncs when they change", async () => {
    const carol = await acts.person();
    const { next_batch: since } = await sync(carol);
    const waiting = sync(carol, { since, timeout: 10_000 });
    await done(carol.call("PUT", `${rules}/room/${enc("!foo:x")}`, { actions: ["notify"] }));
    expect((await waiting).account_data.events).toMatchObject([
      { type: "m.push_rules", content: { global: { room: [{ rule_id: "!foo:x" }] } } },
    ]);
  });
});

describe("pushers", () => {
  it.each([
    [undefined, 0],
    [false, 0],
    [true, 1],
  ])("of one app and device belong to the last user (append: %s)", async (append, left) => {
    const pusher = {
      app_id: "app",
      pushkey: `phone ${append}`,
      kind: "http",
      lang: "en",
      data: { url: "https://push.example/_matrix/push/v1/notify" },
      app_display_name: "App",
      device_display_name: "Phone",
    };
    const people = [await acts.person(), await acts.person()] as const;
    for (const who of people) await done(who.call("POST", "pushers/set", { ...pusher, append }));
    const [first, second] = [await get(people[0], "pushers"), await get(people[1], "pushers")];
    expect([first.pushers.length, second.pushers.length]).toEqual([left, 1]);
    expect(second.pushers[0]).toMatchObject({ app_id: "app", profile_tag: "" });
  });
});

describe("media", () => {
  const picture = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const upload = async (name: string, type: string): Promise<string> => {
    const answer = await server.call("POST", `/_matrix/media/v3/upload?filename=${enc(name)}`, picture, {
      Authorization: `Bearer ${alice.token}`,
      "Content-Type": type,
    });
    return answer.json.content_uri.replace("mxc://", "");
  };

  it.each(["/_matrix/media/v3", "/_matrix/client/v1/media"])(
    "is served unchanged by %s, in full and as a thumbnail, with a token",
    async (base) => {
      const id = await upload("a.png", "image/png");
      for (const path of [
        `download/${id}`,
        `download/${id}/b.png`,
        `thumbnail/${id}?width=32&height=32&method=scale`,
      ]) {
        const answer = await alice.call("GET", `${base}/${path}`);
        expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
        expect(answer.headers.get("content-length")).toBe(String(picture.length));
      }
      const closed = await server.call("GET", `${base}/download/${id}`);
      expect(closed.status).toBe(401);
    },
  );

  it.each([
    ["ascii", "image/png", "inline; filename=ascii"],
    ["name with spaces", "image/png", 'inline; filename="name with spaces"'],
    ["name;with;semicolons", "image/png", 'inline; filename="name;with;semicolons"'],
    ["🐔", "image/png", "inline; filename*=utf-8''%F0%9F%90%94"],
    ["a.svg", "image/svg+xml", "attachment; filename=a.svg"],
  ])("named %s (%s) is served as %s", async (name, type, disposition) => {
    const answer = await alice.call("GET", `/_matrix/media/v3/download/${await upload(name, type)}`);
    expect(answer.headers.get("content-disposition")).toBe(disposition);
  });

  it("can be uploaded to a reserved id", async () => {
    const { content_uri: uri } = (await alice.call("POST", "/_matrix/media/v1/create", {})).json;
    const id = uri.replace("mxc://", "");
    await done(alice.call("PUT", `/_matrix/media/v3/upload/${id}`, picture));
    expect((await alice.call("GET", `/_matrix/media/v3/download/${id}`)).status).toBe(200);
  });
});

describe("backed-up keys", () => {
  it("are stored, read and deleted one by one, by room, and all at once", async () => {
    const carol = await acts.person();
    const { version } = (await carol.call("POST", "room_keys/version", { algorithm: "a", auth_data: {} }))
      .json;
    const key = { first_message_index: 1, forwarded_count: 0, is_verified: false, session_data: { a: "b" } };
    const path = (...parts: string[]): string =>
      `room_keys/keys${parts.map((part) => `/${enc(part)}`).join("")}?version=${version}`;
    const counted = async (method: string, where: string, body?: object): Promise<[number, string]> => {
      const { json } = await carol.call(method, where, body);
      return [json.count, json.etag];
    };
    expect(await counted("PUT", path(), { rooms: { "!a": { sessions: { 1: key } } } })).toEqual([1, "1"]);
    expect(await counted("PUT", path("!b"), { sessions: { 1: key, 2: key } })).toEqual([3, "2"]);
    // The same key again changes nothing.
    expect(await counted("PUT", path("!b", "1"), key)).toEqual([3, "2"]);
    expect(await get(carol, path())).toEqual({
      rooms: { "!a": { sessions: { 1: key } }, "!b": { sessions: { 1: key, 2: key } } },
    });
    expect(await get(carol, path("!b"))).toEqual({ sessions: { 1: key, 2: key } });
    expect(await get(carol, path("!nothing"))).toEqual({ sessions: {} });
    expect(await counted("DELETE", path("!b", "1"))).toEqual([2, "3"]);
    expect(await counted("DELETE", path("!b"))).toEqual([1, "4"]);
    expect(await counted("DELETE", path())).toEqual([0, "5"]);
    await done(
      carol.call("PUT", `room_keys/version/${version}`, {
        algorithm: "a",
        auth_data: { new: true },
        version,
      }),
    );
    expect(await get(carol, `room_keys/version/${version}`)).toEqual({
      version,
      algorithm: "a",
      auth_data: { new: true },
      count: 0,
      etag: "5",
    });
  });
});

describe("joined rooms", () => {
  it("can be listed and reported", async () => {
    const carol = await acts.person();
    const roomId = await makeRoom(carol);
    expect(await get(carol, "joined_rooms")).toEqual({ joined_rooms: [roomId] });
    await done(carol.call("POST", inRoom(roomId, "report"), { reason: "noise" }));
    const event = await acts.say(carol, roomId, "hello");
    await done(carol.call("POST", inRoom(roomId, "report", event), { score: -100, reason: "noise" }));
  });
});
