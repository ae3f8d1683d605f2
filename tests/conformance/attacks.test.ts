import { connect } from "node:net";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, openTestServer, password, type Person, type TestServer } from "../support/homeserver.ts";
import { waitFor } from "../support/processes.ts";
import { attackRows } from "./attack-rows.ts";

let server: TestServer;
let alice: Person;
let mallory: Person;
let roomId: string;
const enc = encodeURIComponent;

beforeAll(async () => {
  server = await openTestServer({
    limits: { writesPerSecond: 0, waiting: 40, waitingPerUser: 30, mediaBytes: 100_000 },
  });
  [alice, mallory] = [await server.register("alice"), await server.register("mallory")];
  roomId = (await alice.call("POST", "createRoom", { preset: "private_chat" })).json.room_id;
  await alice.call("PUT", `rooms/${enc(roomId)}/send/m.room.message/1`, {
    msgtype: "m.text",
    body: "secret",
  });
});
afterAll(() => server.close());

describe("another user's", () => {
  it.each([
    ["messages", `rooms/{room}/messages?dir=b`],
    ["state", `rooms/{room}/state`],
    ["members", `rooms/{room}/members`],
    ["threads", `/_matrix/client/v1/rooms/{room}/threads`],
    ["room data", `user/{alice}/rooms/{room}/account_data/m.tag`],
    ["account data", `user/{alice}/account_data/m.direct`],
    ["filter", `user/{alice}/filter/1`],
  ])("%s cannot be read", async (_what, path) => {
    const answer = await mallory.call(
      "GET",
      path.replace("{room}", enc(roomId)).replace("{alice}", enc(alice.userId)),
    );
    expect([answer.status, answer.json.errcode]).toEqual([403, "M_FORBIDDEN"]);
    expect(answer.text).not.toContain("secret");
  });

  it("token stops working after sign-out and never appears in responses to others", async () => {
    const login = { type: "m.login.password", identifier: { type: "m.id.user", user: "alice" }, password };
    const { access_token: token } = (await server.call("POST", "login", login)).json;
    const headers = { Authorization: `Bearer ${token}` };
    expect((await server.call("GET", "account/whoami", undefined, headers)).status).toBe(200);
    await server.call("POST", "logout", {}, headers);
    expect((await server.call("GET", "account/whoami", undefined, headers)).json.errcode).toBe(
      "M_UNKNOWN_TOKEN",
    );
  });

  it("password cannot be guessed: attempts after the tenth are slow, for unknown users too", async () => {
    const guess = async (user: string): Promise<void> => {
      const login = { type: "m.login.password", identifier: { type: "m.id.user", user }, password: "wrong" };
      const tries = Array.from({ length: 20 }, () => server.call("POST", "login", login));
      const codes = (await Promise.all(tries)).map(({ json }) => json.errcode);
      const refused = codes.filter((code) => code === "M_LIMIT_EXCEEDED").length;
      expect(refused).toBeGreaterThanOrEqual(5);
      expect(codes.filter((code) => code === "M_FORBIDDEN")).toHaveLength(20 - refused);
    };
    const startedAt = performance.now();
    await Promise.all([guess("alice"), guess("nobody-here")]);
    // At least five pauses of 200 ms, one after the other.
    expect(performance.now() - startedAt).toBeGreaterThan(1_000);
  });

  it("wrong passwords do not lock the user out", async () => {
    const victim = await server.register("victim");
    const login = { type: "m.login.password", identifier: { type: "m.id.user", user: "victim" }, password };
    const guesses = Array.from({ length: 15 }, () =>
      server.call("POST", "login", { ...login, password: "wrong" }),
    );
    const [right] = await Promise.all([server.call("POST", "login", login), ...guesses]);
    expect([right.status, right.json.user_id]).toEqual([200, victim.userId]);
    expect((await server.call("POST", "login", login)).status).toBe(200);
    const auth = { type: "m.login.password", identifier: login.identifier, password };
    expect((await victim.call("POST", "delete_devices", { devices: [], auth })).status).toBe(200);
  });
});

describe("closed registration", () => {
  it("creates no account through any path or flow", async () => {
    const closed = await openTestServer({ isRegistrationOpen: false });
    try {
      for (const path of [
        `${client}/register`,
        "/_matrix/client/r0/register",
        `${client}/register?kind=user`,
      ]) {
        const body = { username: "intruder", password: "x", auth: { type: "m.login.dummy", session: "x" } };
        const answer = await closed.call("POST", path, body);
        expect([answer.status, answer.json.errcode]).toEqual([403, "M_FORBIDDEN"]);
      }
      expect(closed.homeserver.services.accounts.count()).toBe(0);
    } finally {
      await closed.close();
    }
  });

  it.each([
    "register/available?username=alice",
    "register/available?username=unused",
    "profile/@alice:rookery.local",
    "profile/@unused:rookery.local",
    "profile/@alice:rookery.local/displayname",
    "profile/@alice:rookery.local/avatar_url",
    "directory/room/%23nosuch:rookery.local",
    "directory/list/room/!nosuch:rookery.local",
    "publicRooms",
  ])("GET %s reveals nothing without a token", async (path) => {
    const { registration } = server.homeserver.services;
    registration.isOpen = false;
    try {
      const answer = await server.call("GET", path, undefined, { Origin: "https://evil.example" });
      expect([answer.status, answer.json.errcode]).toEqual([401, "M_MISSING_TOKEN"]);
      expect((await mallory.call("GET", path)).json.errcode).not.toBe("M_MISSING_TOKEN");
    } finally {
      registration.isOpen = true;
    }
  });
});

describe("malformed events", () => {
  const send = (content: string): ReturnType<Person["call"]> =>
    alice.call("PUT", `rooms/${enc(roomId)}/send/m.room.message/a${Math.random()}`, content);
  const sized = (bytes: number): string => JSON.stringify({ body: "x".repeat(bytes) });

  it.each([
    ["a float", '{"body": 1.5}', "M_BAD_JSON"],
    ["a float with an integer value", '{"body": 1.0}', "M_BAD_JSON"],
    ["an exponent", '{"body": 1e3}', "M_BAD_JSON"],
    ["an integer out of range", '{"body": 9007199254740992}', "M_BAD_JSON"],
    ["200 levels", `{"a": ${"[".repeat(200)}${"]".repeat(200)}}`, "M_BAD_JSON"],
    ["100,000 levels", `{"a": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`, "M_BAD_JSON"],
    ["64 KiB and a byte", sized(65_537), "M_TOO_LARGE"],
    ["two megabytes", sized(2_000_000), "M_TOO_LARGE"],
  ])("%s: %s is rejected", async (_what, content, code) => {
    expect((await send(content)).json.errcode).toBe(code);
    expect((await alice.call("GET", "account/whoami")).status).toBe(200);
  });

  it("at the maximum size are accepted, and __proto__ is plain data", async () => {
    expect((await send(sized(64_500))).status).toBe(200);
    expect((await send('{"__proto__": {"admin": 1}, "constructor": {"a": 1}, "body": "x"}')).status).toBe(
      200,
    );
    expect(({} as any).admin).toBeUndefined();
    expect(
      (await alice.call("GET", `rooms/${enc(roomId)}/messages?dir=b&limit=1`)).json.chunk[0].content,
    ).toHaveProperty("constructor");
  });

  it("names of object properties find nothing and break nothing", async () => {
    for (const name of ["__proto__", "constructor", "toString", "%00", "..%2f..%2fmatrix.db"])
      for (const path of [
        `user/${enc(alice.userId)}/account_data/${name}`,
        `rooms/${enc(roomId)}/state/${name}`,
        `devices/${name}`,
      ])
        expect((await alice.call("GET", path)).status).toBe(404);
  });
});

describe("paths and aliases", () => {
  it.each([
    "/../../etc/passwd",
    "/_matrix/media/v3/download/rookery.local/..%2f..%2fmatrix.db",
    "/_matrix/media/v3/download/rookery.local/%2e%2e",
    "/_matrix/client/v1/media/download/rookery.local/..%2f..%2fmatrix.db",
  ])("%s is not found", async (path) => {
    expect((await alice.call("GET", path)).status).toBe(404);
  });

  it("get a client error if their encoding is invalid", async () => {
    const raw = await rawRequest(
      `GET ${client}/rooms/%ZZ/state HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(raw).toContain("M_INVALID_PARAM");
  });

  it.each([
    "#a b:rookery.local",
    "#:rookery.local",
    "#x:elsewhere.org",
    "@x:rookery.local",
    `#${"x".repeat(300)}:rookery.local`,
  ])("%s cannot be an alias", async (alias) => {
    const answer = await alice.call("PUT", `directory/room/${enc(alias)}`, { room_id: roomId });
    expect([answer.status, answer.json.errcode]).toEqual([400, "M_INVALID_PARAM"]);
  });
});

describe("long polls", () => {
  it("above the limit are rejected while the server still answers others", async () => {
    const { next_batch: since } = (await mallory.call("GET", "sync")).json;
    let settled = 0;
    const polls = Array.from({ length: 60 }, () =>
      mallory.call("GET", `sync?since=${since}&timeout=20000`).finally(() => settled++),
    );
    const { waker } = server.homeserver.services;
    await waitFor(() => waker.countWaiting() === 30 && settled === 30, {
      describe: () => `${waker.countWaiting()} polls`,
    });
    const started = performance.now();
    expect((await alice.call("GET", "account/whoami")).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(20_000); // The limit of the waiting polls.
    await mallory.call("PUT", `user/${enc(mallory.userId)}/account_data/org.x`, { a: 1 });
    const answers = await Promise.all(polls);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(30);
    expect(refused[0]?.json).toMatchObject({
      errcode: "M_LIMIT_EXCEEDED",
      retry_after_ms: expect.any(Number),
    });
    expect(waker.countWaiting()).toBe(0);
  });

  it("end when the client disconnects", async () => {
    const { next_batch: since } = (await alice.call("GET", "sync")).json;
    const gone = new AbortController();
    const headers = { Authorization: `Bearer ${alice.token}` };
    const poll = fetch(`${server.url}${client}/sync?since=${since}&timeout=60000`, {
      signal: gone.signal,
      headers,
    });
    const { waker } = server.homeserver.services;
    await waitFor(() => waker.countWaiting(alice.userId) === 1);
    gone.abort();
    await expect(poll).rejects.toThrow();
    await waitFor(() => waker.countWaiting(alice.userId) === 0);
  });
});

describe("Host and Origin", () => {
  it.each([
    ["a foreign host", "Host: evil.example"],
    ["a foreign origin", "Host: x\r\nOrigin: https://evil.example"],
  ])("%s gets no data without a token, no cookie and no echo", async (_what, header) => {
    for (const path of [`${client}/account/whoami`, "/.well-known/matrix/client"]) {
      const raw = await rawRequest(`GET ${path} HTTP/1.1\r\n${header}\r\nConnection: close\r\n\r\n`);
      expect(raw).not.toMatch(/set-cookie|evil\.example|allow-credentials/i);
    }
  });
});

describe("media", () => {
  const upload = async (name: string, type: string, body = "x"): Promise<Response> => {
    const headers = { Authorization: `Bearer ${alice.token}`, "Content-Type": type };
    const url = `${server.url}/_matrix/media/v3/upload?filename=${enc(name)}`;
    const { content_uri: uri } = (await (await fetch(url, { method: "POST", headers, body })).json()) as any;
    const { Authorization } = headers;
    const download = `${server.url}/_matrix/client/v1/media/download/${uri.slice("mxc://".length)}`;
    return fetch(download, { headers: { Authorization } });
  };

  it.each([
    ["../../matrix.db", "text/html", "attachment; filename=matrix.db"],
    ['a"; filename="b.exe', "image/svg+xml", 'attachment; filename="a\\"; filename=\\"b.exe"'],
    ["line\r\nX-Injected: yes", "text/javascript", 'attachment; filename="lineX-Injected: yes"'],
    ["выпь‮txt.exe", "application/x-msdownload", /^attachment; filename\*=utf-8''%D0%B2%D1%8B/],
    ["picture.png", "image/png", "inline; filename=picture.png"],
    ["weird", "not a type\u0000", "attachment; filename=weird"],
  ])("%j of type %j is served safely", async (name, type, disposition) => {
    const answer = await upload(name, type.replace("\u0000", ";;"));
    expect(answer.headers.get("content-disposition")).toMatch(disposition);
    expect(answer.headers.get("x-injected")).toBeNull();
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
  });

  it("is stored under generated names only", async () => {
    await upload("../../../escape.txt", "text/plain");
    expect(existsSync(join(server.folder, "..", "escape.txt"))).toBe(false);
    for (const file of readdirSync(join(server.folder, "media"))) expect(file).toMatch(/^[A-Za-z]{24}$/);
  });
});

describe("two users against a third", () => {
  const sliding = "/_matrix/client/unstable/org.matrix.simplified_msc3575/sync";
  let trudy: Person;
  let victim: Person;
  let values: Record<string, string>;
  let before: string;

  beforeAll(async () => {
    trudy = await server.register("trudy");
    victim = await server.register("dora");
    const done = async (method: string, path: string, body: unknown = {}): Promise<any> => {
      const answer = await victim.call(method, path, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.json;
    };
    const me = `user/${enc(victim.userId)}`;
    const { room_id: own } = await done("POST", "createRoom", { room_alias_name: "nest", name: "secret" });
    const { room_id: shared } = await done("POST", "createRoom", {
      invite: [mallory.userId],
      power_level_content_override: { invite: 50 },
    });
    await mallory.call("POST", `join/${enc(shared)}`, {});
    await done("POST", `rooms/${enc(shared)}/ban`, { user_id: trudy.userId });
    const say = async (room: string): Promise<string> =>
      (await done("PUT", `rooms/${enc(room)}/send/m.room.message/1`, { msgtype: "m.text", body: "secret" }))
        .event_id;
    const lastPart = (uri: string): string => uri.split("/").at(-1) ?? "";
    await done("PUT", `${me}/account_data/m.private`, { a: "secret" });
    await done("PUT", `${me}/rooms/${enc(own)}/account_data/m.private`, { a: "secret" });
    await done("PUT", `${me}/rooms/${enc(own)}/tags/u.mine`);
    const backup = await done("POST", "room_keys/version", { algorithm: "a", auth_data: { a: "secret" } });
    const reserved = await done("POST", "/_matrix/media/v1/create");
    const uploaded = await done("POST", "/_matrix/media/v3/upload", "secret");
    // Mallory has no filters, so the id cannot be one of her own.
    const filter = await done("POST", `${me}/filter`, { room: { timeline: { limit: 1 } } });
    values = {
      victim: victim.userId,
      mallory: mallory.userId,
      trudy: trudy.userId,
      private: own,
      shared,
      alias: "#nest:rookery.local",
      secret: await say(own),
      greeting: await say(shared),
      device: victim.deviceId,
      filter: filter.filter_id,
      backup: backup.version,
      reserved: lastPart(reserved.content_uri),
      uploaded: lastPart(uploaded.content_uri),
      pos: (await done("POST", sliding)).pos,
    };
    before = await fingerprint();
  });

  /** Everything of the victim that an attack could have changed. */
  async function fingerprint(): Promise<string> {
    const paths = [
      ...["private", "shared"].flatMap((name) =>
        ["state", "members", "aliases", "messages?dir=b&limit=100"].map(
          (part) => `rooms/${enc(values[name] ?? "")}/${part}`,
        ),
      ),
      ...["joined_rooms", "pushrules/", "pushers", "room_keys/version", `profile/${enc(victim.userId)}`],
      ...["m.private", "m.direct"].map((type) => `user/${enc(victim.userId)}/account_data/${type}`),
      `user/${enc(victim.userId)}/rooms/${enc(values.private ?? "")}/tags`,
      `directory/room/${enc("#nest:rookery.local")}`,
    ];
    const answers = await Promise.all(paths.map((path) => victim.call("GET", path)));
    const names = (await victim.call("GET", "devices")).json.devices.map(
      (device: any) => device.display_name,
    );
    return JSON.stringify([...answers.map(({ text }) => text.replace(/"age":\d+/g, "")), names]);
  }

  const fill = (template: string, encode = (value: string) => value): string =>
    template.replace(/<(\w+)>/g, (whole, name: string) => encode(values[name] ?? whole));

  it("has at least 100 rows", () => expect(attackRows.length).toBeGreaterThanOrEqual(100));

  it.each(attackRows.map((row, n) => ({ ...row, n, name: `${row.as} ${row.method} ${row.path}` })))(
    "$n: $name is refused",
    async ({ as, method, path, body }) => {
      const who = as === "mallory" ? mallory : trudy;
      const sent = body === undefined ? undefined : fill(JSON.stringify(body));
      const answer = await who.call(method, fill(path, enc), sent);
      expect([400, 401, 403, 404, 409], answer.text).toContain(answer.status);
      expect(answer.json.errcode).toMatch(/^M_(?!UNRECOGNIZED|NOT_JSON)/);
      expect(answer.text).not.toContain("secret");
    },
  );

  it("the data of the victim is unchanged and not in the attackers' syncs", async () => {
    expect(await fingerprint()).toBe(before);
    const list = { ranges: [[0, 99]], timeline_limit: 50, required_state: [["*", "*"]] };
    const body = { lists: { a: list }, room_subscriptions: { [values.private ?? ""]: list } };
    for (const who of [mallory, trudy])
      for (const answer of [await who.call("GET", "sync"), await who.call("POST", sliding, body)]) {
        expect(answer.status).toBe(200);
        expect(answer.text).not.toContain(values.private);
      }
  });
});

function rawRequest(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.homeserver.port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (answer += chunk));
    socket.on("end", () => resolve(answer)).on("error", reject);
  });
}
