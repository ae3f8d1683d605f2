import * as fc from "fast-check";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect } from "vitest";
import {
  canonicalJson,
  findJsonFault,
  isObject,
  type JsonObject,
  parseBody,
} from "../../src/homeserver/json.ts";
import { readLimit, readOffset, readSyncToken } from "../../src/homeserver/reading.ts";
import { isReply, type Route } from "../../src/homeserver/route.ts";
import { makeRouter } from "../../src/homeserver/router.ts";
import { routes } from "../../src/homeserver/routes.ts";
import { toClientEvent } from "../../src/homeserver/rules/client-event.ts";
import type { StoredEvent } from "../../src/homeserver/rules/event.ts";
import { filterEvent, parseSyncFilter } from "../../src/homeserver/rules/filter.ts";
import { compileGlob, compileTypeGlob, matchesText, matchesWords } from "../../src/homeserver/rules/glob.ts";
import { parseIdentifier } from "../../src/homeserver/rules/identifiers.ts";
import { makeDefaultRules } from "../../src/homeserver/rules/push-defaults.ts";
import { evaluateRules } from "../../src/homeserver/rules/push-evaluate.ts";
import { redactContent } from "../../src/homeserver/rules/redact.ts";
import { findRoomVersion, type RoomVersion } from "../../src/homeserver/rules/room-version.ts";
import { parseSlidingRequest } from "../../src/homeserver/rules/sliding-request.ts";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { fuzz } from "./fuzz.ts";
import { changed, json, jsonText, object, text } from "./hostile.ts";

const eventTypes = [
  ...["m.room.message", "m.room.member", "m.room.power_levels", "m.room.create", "m.room.join_rules"],
  ...["m.room.history_visibility", "m.room.redaction", "m.room.aliases", "m.reaction", "m.room.encrypted"],
];
const type = fc.oneof(fc.constantFrom(...eventTypes), text);
const version = fc.nat(11).map((n) => findRoomVersion(String(n + 1)) as RoomVersion);
const event: fc.Arbitrary<StoredEvent> = fc
  .record({ type, content: object, stateKey: fc.option(text, { nil: undefined }) })
  .map((some) => ({
    ...{
      stream: 1,
      id: "$e",
      roomId: "!r:h",
      sender: "@b:h",
      sentAt: 0,
      depth: 1,
      redacts: undefined,
      hash: "",
      bytes: 0,
    },
    replaced: undefined,
    txn: undefined,
    redactedBecause: undefined,
    authEvents: [],
    ...some,
  }));

fuzz("bodies", jsonText, (body) => {
  let parsed: unknown;
  try {
    parsed = parseBody(body);
  } catch {
    return; // Not JSON, or too deep: the listener refuses it.
  }
  expect(Object.getPrototypeOf(isObject(parsed) ? parsed : {})).toBe(Object.prototype);
  if (findJsonFault(parsed, true) === undefined) expect(JSON.parse(canonicalJson(parsed))).toEqual(parsed);
});

fuzz("events", fc.tuple(event, version), ([stored, rules]) => {
  redactContent(stored.type, stored.content, rules);
  JSON.stringify(toClientEvent(stored, { now: 1, withRoomId: true }));
});

const filter = {
  ...{
    event_fields: ["content.body"],
    event_format: "client",
    presence: { types: ["m.*"] },
    account_data: { limit: 1 },
  },
  room: {
    rooms: ["!r:h"],
    timeline: { types: ["m.room.*"], not_senders: ["@a:h"], lazy_load_members: true },
  },
};
fuzz("filters", fc.tuple(changed<JsonObject>([filter]).filter(isObject), event), ([given, stored]) => {
  filterEvent(parseSyncFilter(given).timeline, stored);
});

const condition = fc.record({
  kind: fc.constantFrom("event_match", "event_property_is", "event_property_contains", "room_member_count"),
  key: fc.oneof(
    fc.constantFrom("content.body", "content.m\\.relates_to.key", "type", "content.__proto__.x"),
    text,
  ),
  pattern: text,
  value: json,
  is: text,
});
fuzz(
  "push rules",
  fc.tuple(event, fc.array(condition, { maxLength: 3 }), text),
  ([stored, conditions, pattern]) => {
    const rules = makeDefaultRules("@a:h");
    const own = { rule_id: "x", default: false, enabled: true, actions: ["notify"] };
    rules.override.unshift({ ...own, conditions });
    rules.content.unshift({ ...own, pattern });
    evaluateRules(rules, stored, { displayName: pattern, memberCount: 2, mayNotify: () => true });
  },
);

fuzz("wildcards", fc.tuple(text, text), ([pattern, given]) => {
  for (const glob of [compileGlob(pattern), compileTypeGlob(pattern)]) {
    matchesText(glob, given);
    matchesWords(glob, given);
  }
});

fuzz("tokens and ids", text, (given) => {
  const query = new URLSearchParams({ limit: given });
  for (const read of [
    () => readSyncToken(given),
    () => readOffset(given, "from"),
    () => readLimit(query, 1, 9),
  ])
    try {
      read();
    } catch (error) {
      expect(error).toMatchObject({ code: "M_INVALID_PARAM" });
    }
  parseIdentifier("@", given);
});

const sliding = {
  conn_id: "c",
  lists: {
    all: {
      ranges: [[0, 9]],
      timeline_limit: 1,
      required_state: [["m.room.*", "*"]],
      filters: { is_dm: true },
    },
  },
  room_subscriptions: { "!r:h": { timeline_limit: 2, required_state: [] } },
  extensions: { to_device: { enabled: true, limit: 5 }, receipts: { enabled: true, rooms: ["!r:h"] } },
};
fuzz("sliding sync requests", changed<JsonObject>([sliding]).filter(isObject), (body) =>
  parseSlidingRequest(body),
);

fuzz("paths", text, (path) => makeRouter(routes)("GET", `/_matrix/client/${path}`));

describe("a homeserver", () => {
  let server: TestServer;
  let people: Person[] = [];
  let known: string[] = [];
  beforeAll(async () => {
    server = await openTestServer({ ports: [] });
    people = await Promise.all(["ann", "bob"].map((name) => server.register(name)));
    const { services } = server.homeserver;
    const made = (await handle(
      "/createRoom",
      "POST",
      {},
      { preset: "public_chat", invite: ["@bob:rookery.local"] },
    )) as { room_id: string };
    const sent = services.rooms.get(made.room_id).last;
    known = [
      made.room_id,
      sent?.id ?? "",
      "@ann:rookery.local",
      "@bob:rookery.local",
      "#a:rookery.local",
      "m.room.message",
      "m.room.topic",
      "s1",
      "1",
      "",
      people[0]?.deviceId ?? "",
    ];
  });
  afterAll(() => server.close());

  /** Long polls end at once; the rest is as the listener does it. */
  async function handle(
    path: string,
    method: string,
    params: Record<string, string>,
    body: JsonObject,
    query: Record<string, string> = {},
  ): Promise<unknown> {
    const route = routes.find((one) => one.method === method && one.path.endsWith(path)) as Route;
    const { services } = server.homeserver;
    const { userId, token } = people[0] as Person;
    const session = services.sessions.authenticate(token, "");
    if (session.userId !== userId) throw new Error("another session");
    const call = {
      params,
      query: new URLSearchParams(query),
      session,
      body,
      headers: {},
      content: Readable.from([Buffer.from("x")]),
      onDisconnect(listener: () => void) {
        setImmediate(listener);
        return () => {};
      },
    };
    const result = await route.handle(call, services);
    await services.db.whenCommitted();
    if (isReply(result)) return void (typeof result.body !== "string" && result.body.destroy());
    return JSON.parse(JSON.stringify(result));
  }

  /** Would end the session, or hash a password. */
  const isLeftOut = ({ path }: Route): boolean =>
    /logout|deactivate|password|\/login|\/register|delete_devices|devices\/\{|keys\/device_signing/.test(
      path,
    );
  const table = routes.filter((route) => !isLeftOut(route));
  const bodies = [
    ...[
      {},
      { body: "x", msgtype: "m.text" },
      { membership: "join" },
      { users: { "@bob:rookery.local": 100 } },
      filter,
      sliding,
    ],
    { "m.relates_to": { rel_type: "m.annotation", event_id: "$x", key: "y" } },
    { device_keys: { "@ann:rookery.local": [] }, one_time_keys: { "signed_curve25519:A": { key: "x" } } },
    { messages: { "@ann:rookery.local": { "*": { body: "x" } } } },
    { algorithm: "m.megolm_backup.v1.curve25519-aes-sha2", auth_data: { public_key: "x" } },
    {
      rooms: {
        "!r:h": {
          sessions: {
            s: { first_message_index: 0, forwarded_count: 0, is_verified: true, session_data: {} },
          },
        },
      },
    },
    { search_categories: { room_events: { search_term: "x", filter: { limit: 2 }, event_context: {} } } },
    {
      name: "x",
      topic: "y",
      invite: ["@bob:rookery.local"],
      initial_state: [{ type: "m.x", state_key: "", content: {} }],
    },
    { actions: ["notify"], conditions: [{ kind: "event_match", key: "type", pattern: "*" }], pattern: "x" },
    {
      user_id: "@bob:rookery.local",
      reason: "x",
      new_version: "11",
      enabled: true,
      displayname: "x",
      alias: "#b:rookery.local",
    },
    {
      pushkey: "k",
      kind: "http",
      app_id: "a",
      app_display_name: "a",
      device_display_name: "d",
      lang: "en",
      data: { url: "http://127.0.0.1:9/_matrix/push/v1/notify" },
    },
  ] as JsonObject[];
  const value = fc.oneof({ weight: 3, arbitrary: fc.nat(10).map((n) => n) }, { weight: 1, arbitrary: text });
  const queryName = fc.constantFrom(
    "limit",
    "dir",
    "from",
    "to",
    "since",
    "filter",
    "ts",
    "before",
    "after",
    "access_token",
    "membership",
  );

  for (const isRead of [true, false])
    fuzz(
      isRead ? "reading requests" : "writing requests",
      fc.constantFrom(...table.filter(({ method }) => (method === "GET") === isRead)).chain((route) =>
        fc.record({
          route: fc.constant(route),
          params: fc.record(
            Object.fromEntries(
              [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name as string, value]),
            ),
          ),
          body: changed(bodies).filter(isObject),
          query: fc.dictionary(queryName, value, { maxKeys: 3 }),
        }),
      ),
      async ({ route, params, body, query }) => {
        const named = (given: string | number): string =>
          typeof given === "number" ? (known[given] ?? "") : given;
        const fill = (all: Record<string, string | number>): Record<string, string> =>
          Object.fromEntries(Object.entries(all).map(([name, given]) => [name, named(given)]));
        // As the listener parses it.
        const parsed = parseBody(JSON.stringify(body)) as JsonObject;
        await handle(route.path, route.method, fill(params), parsed, fill(query));
      },
    );
});
