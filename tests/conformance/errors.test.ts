import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MatrixCode, matrixErrors } from "../../src/homeserver/errors.ts";
import { routes } from "../../src/homeserver/routes.ts";
import { openRateLimit } from "../../src/homeserver/services/rate-limits.ts";
import { client, openTestServer, password, type Person, type TestServer } from "../support/homeserver.ts";
import { type ErrorRow, errorRows } from "./error-rows.ts";

/** Causes every error that a route declares; docs/matrix.md lists the same errors. */
let server: TestServer;
let people: Record<string, Person>;
let values: Record<string, string>;
let nextTxn = 0;

beforeAll(async () => {
  server = await openTestServer({
    limits: { writesPerSecond: 0, waiting: 100, waitingPerUser: 100, mediaBytes: 10_000 },
  });
  people = {
    alice: await server.register("alice"),
    bob: await server.register("bob"),
    carol: await server.register("carol"),
    gone: await server.register("gone"),
    guessed: await server.register("guessed"),
  };
  const { alice, bob, gone } = people as Record<"alice" | "bob" | "gone", Person>;
  const room = await alice.call("POST", "createRoom", { room_alias_name: "taken", invite: [bob.userId] });
  const roomId: string = room.json.room_id;
  await bob.call("POST", `join/${encodeURIComponent(roomId)}`, {});
  const text = { msgtype: "m.text", body: "hello" };
  const sent = await alice.call("PUT", `rooms/${encodeURIComponent(roomId)}/send/m.room.message/1`, text);
  await alice.call("PUT", `rooms/${encodeURIComponent(roomId)}/send/m.reaction/2`, {
    "m.relates_to": { rel_type: "m.annotation", event_id: sent.json.event_id, key: "x" },
  });
  const other = await alice.call("POST", "createRoom", {});
  const elsewhere = await alice.call(
    "PUT",
    `rooms/${encodeURIComponent(other.json.room_id)}/send/m.room.message/1`,
    text,
  );
  const pending = await alice.call("POST", "/_matrix/media/v1/create", {});
  const uploaded = await alice.call("POST", "/_matrix/media/v3/upload?filename=a.txt", "text");
  for (const _version of [1, 2])
    await alice.call("POST", "room_keys/version", { algorithm: "a", auth_data: {} });
  await alice.call("POST", "keys/device_signing/upload", {
    master_key: { user_id: alice.userId, usage: ["master"], keys: { "ed25519:old": "old" } },
  });
  await gone.call("POST", "account/deactivate", {
    auth: { type: "m.login.password", user: gone.userId, password },
  });
  const lastPart = (uri: string): string => uri.split("/").at(-1) ?? "";
  values = {
    alice: alice.userId,
    bob: bob.userId,
    room: roomId,
    device: alice.deviceId,
    password,
    pending: lastPart(pending.json.content_uri),
    media: lastPart(uploaded.json.content_uri),
    ...{
      event: sent.json.event_id,
      elsewhere: elsewhere.json.event_id,
      position: "s1000000",
      large: "x".repeat(20_000),
    },
  };
});

afterAll(() => server.close());

const defaults: Record<string, string> = {
  roomId: "<room>",
  userId: "<alice>",
  eventType: "m.room.message",
  stateKey: "",
  eventId: "<event>",
  type: "m.test",
  tag: "u.x",
  kind: "override",
  ruleId: ".m.rule.master",
  filterId: "99",
  deviceId: "NOSUCH",
  roomIdOrAlias: "<room>",
  roomAlias: "#nosuch:rookery.local",
  version: "99",
  serverName: "rookery.local",
  mediaId: "a".repeat(24),
  fileName: "x.txt",
  sessionId: "s",
  receiptType: "m.read",
  relType: "m.thread",
  protocol: "irc",
};

function fill(text: string): string {
  return text.replace(/<(\w+)>/g, (whole, name: string) => values[name] ?? whole);
}

function provoke(literal: string, row: ErrorRow): ReturnType<TestServer["call"]> {
  const [method = "", path = ""] = literal.split(" ");
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = name === "txnId" ? `t${nextTxn++}` : (row.params?.[name] ?? defaults[name] ?? "");
    return encodeURIComponent(fill(value));
  });
  const query = row.query === undefined ? "" : `?${fill(row.query)}`;
  const text = typeof row.body === "string" ? row.body : JSON.stringify(row.body);
  const body = row.body === undefined || method === "GET" ? undefined : fill(text);
  const token = row.as === "nobody" ? undefined : people[row.as ?? "alice"]?.token;
  return server.call(method, filled + query, body, token ? { Authorization: `Bearer ${token}` } : {});
}

const slidingSync = "/_matrix/client/unstable/org.matrix.simplified_msc3575/sync";

/** Server conditions that some errors need. */
const conditions: Record<
  string,
  (answer: () => ReturnType<TestServer["call"]>) => ReturnType<TestServer["call"]>
> = {
  async [`POST ${client}/register M_FORBIDDEN`](answer) {
    const { registration } = server.homeserver.services;
    registration.isOpen = false;
    return answer().finally(() => (registration.isOpen = true));
  },
  async [`POST ${client}/login M_LIMIT_EXCEEDED`](answer) {
    // At once: on a busy machine, attempts one after the other would take long enough to be allowed.
    const answers = await Promise.all(Array.from({ length: 16 }, answer));
    return answers.find(({ status }) => status === 429) ?? answer();
  },
  async [`POST ${slidingSync} M_LIMIT_EXCEEDED`](answer) {
    values.slidingPos = (await (people.bob as Person).call("POST", slidingSync, {})).json.pos;
    return whileBobWaits(answer);
  },
  [`GET ${client}/sync M_LIMIT_EXCEEDED`]: whileBobWaits,
  [`GET ${client}/events M_LIMIT_EXCEEDED`]: whileBobWaits,
  async [`PUT ${client}/rooms/{roomId}/send/{eventType}/{txnId} M_LIMIT_EXCEEDED`](answer) {
    const { limits } = server.homeserver.services;
    const { writes } = limits;
    limits.writes = openRateLimit(() => 0, 1, 1);
    await answer();
    return answer().finally(() => (limits.writes = writes));
  },
  async ["POST /_matrix/media/v1/create M_LIMIT_EXCEEDED"](answer) {
    for (let i = 0; i < 50; i++) await answer();
    return answer();
  },
};

async function whileBobWaits(answer: () => ReturnType<TestServer["call"]>): ReturnType<TestServer["call"]> {
  values.position = (await (people.bob as Person).call("GET", "sync")).json.next_batch;
  const { limits, waker } = server.homeserver.services;
  const held = Array.from({ length: limits.waitingPerUser }, () =>
    waker.wait(values.bob ?? "", 5_000, () => () => {}),
  );
  const refused = await answer();
  waker.wake([values.bob ?? ""]);
  await Promise.all(held);
  return refused;
}

describe("every error that a route declares", () => {
  it("has a row, and every row has a route", () => {
    const declared = routes.flatMap(({ method, path, errors }) =>
      errors.map((code) => `${method} ${path} ${code}`),
    );
    const rows = Object.entries(errorRows).flatMap(([literal, codes]) =>
      Object.keys(codes).map((code) => `${literal} ${code}`),
    );
    expect(rows.toSorted()).toEqual(declared.toSorted());
    expect(declared.length).toBeGreaterThan(250);
  });

  const all = Object.entries(errorRows).flatMap(([literal, codes]) =>
    Object.entries(codes).map(([code, row]) => ({ literal, code: code as MatrixCode, row })),
  );
  it.each(all)("$literal: $code", async ({ literal, code, row }) => {
    const ask = (): ReturnType<TestServer["call"]> => provoke(literal, row);
    const answer = await (conditions[`${literal} ${code}`]?.(ask) ?? ask());
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    const status = row.status ?? matrixErrors[code];
    if (code === "M_UNAUTHORIZED")
      expect([answer.status, answer.json.flows, typeof answer.json.session]).toEqual([
        401,
        [{ stages: [expect.stringMatching(/^m\.login\.(dummy|password)$/)] }],
        "string",
      ]);
    else
      expect([answer.status, answer.json?.errcode, typeof answer.json?.error]).toEqual([
        status,
        code,
        "string",
      ]);
    if (code === "M_LIMIT_EXCEEDED") expect(answer.json.retry_after_ms).toBeGreaterThan(0);
  });
});

describe("errors common to all routes", () => {
  const path = (route: (typeof routes)[number]): string =>
    route.path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(fill(defaults[name] ?? "x")));

  it.each(
    routes
      .filter(({ access }) => access === "user")
      .map((route) => ({ route, name: `${route.method} ${route.path}` })),
  )("$name: M_MISSING_TOKEN, M_UNKNOWN_TOKEN", async ({ route }) => {
    const missing = await server.call(route.method, path(route));
    expect([missing.status, missing.json.errcode]).toEqual([401, "M_MISSING_TOKEN"]);
    const unknown = await server.call(route.method, path(route), undefined, {
      Authorization: "Bearer made up",
    });
    expect([unknown.status, unknown.json.errcode, unknown.json.soft_logout]).toEqual([
      401,
      "M_UNKNOWN_TOKEN",
      false,
    ]);
  });

  const takesJson = routes.filter(({ method, body }) => body === "json" && method !== "GET");
  it.each(takesJson.map((route) => ({ route, name: `${route.method} ${route.path}` })))(
    "$name: M_NOT_JSON, M_BAD_JSON",
    async ({ route }) => {
      const alice = people.alice as Person;
      for (const [body, code] of [
        ["{not json", "M_NOT_JSON"],
        ['{"a": NaN}', "M_NOT_JSON"],
        [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), "M_NOT_JSON"],
        ["[]", "M_BAD_JSON"],
      ] as const) {
        const answer = await alice.call(route.method, path(route), body);
        expect([answer.status, answer.json.errcode]).toEqual([400, code]);
      }
    },
  );

  it.each(routes.map((route) => ({ route, name: `${route.method} ${route.path}` })))(
    "$name: OPTIONS is answered, another method is 405 M_UNRECOGNIZED",
    async ({ route }) => {
      const options = await server.call("OPTIONS", path(route));
      expect([options.status, options.headers.get("access-control-allow-origin")]).toEqual([204, "*"]);
      const other = await server.call("PATCH", path(route));
      expect([other.status, other.json.errcode]).toEqual([405, "M_UNRECOGNIZED"]);
    },
  );

  it.each([
    "/",
    "/_matrix",
    "/_matrix/client/v3/nosuch",
    "/_matrix/client/v9/sync",
    "/_matrix/federation/v1/version",
  ])("%s: 404 M_UNRECOGNIZED", async (unknown) => {
    const answer = await server.call("GET", unknown);
    expect([answer.status, answer.json.errcode]).toEqual([404, "M_UNRECOGNIZED"]);
  });
});
