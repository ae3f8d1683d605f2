import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";

let server: TestServer;
let mallory: Person;
const enc = encodeURIComponent;
/** The server runs in this process, so properties that appear on these objects were written by a request. */
const globals: object[] = [Object.prototype, Object, Array.prototype];
const before = globals.map((object) => Object.getOwnPropertyDescriptors(object));

beforeAll(async () => {
  server = await openTestServer();
  mallory = await server.register("mallory");
});
afterAll(() => server.close());

/** Restores the objects first, so that one failing test does not break the others. */
afterEach(() => {
  const changed = globals.flatMap((object, index) => {
    const known = before[index] as Record<string, PropertyDescriptor>;
    return Reflect.ownKeys(object).filter((name) => {
      const now = Reflect.getOwnPropertyDescriptor(object, name);
      const was = Reflect.getOwnPropertyDescriptor(known, name)?.value as PropertyDescriptor | undefined;
      if (was && now?.value === was.value) return false;
      if (was) Reflect.defineProperty(object, name, was);
      else Reflect.deleteProperty(object, name);
      return true;
    });
  });
  expect(changed).toEqual([]);
});

const escaped = '"\\u005f_pr\\u006Fto__"';

it.each([
  ["spelled out", '"__proto__"', "content.__proto__.users_default"],
  ["escaped", escaped, "content.__proto__.users_default"],
  ["through constructor", '"constructor"', "content.constructor.users_default"],
])("event_fields cannot raise power levels through a prototype %s", async (_how, name, field) => {
  const { room_id: roomId } = (await mallory.call("POST", "createRoom", {})).json;
  const sent = await mallory.call(
    "PUT",
    `rooms/${enc(roomId)}/send/m.x/${Math.random()}`,
    `{${name}: {"users_default": 100, "prototype": {"a": 1}}}`,
  );
  expect(sent.status).toBe(200);
  const filter = JSON.stringify({ event_fields: ["content.a", field, "__proto__.a", "constructor.name"] });
  expect((await mallory.call("GET", `sync?filter=${enc(filter)}`)).status).toBe(200);
  expect(({} as any).users_default).toBeUndefined();
});

it.each([
  ["__proto__", "polluted"],
  ["constructor", "polluted"],
  ["toString", "polluted"],
])("signatures for user %s are rejected and change no prototype", async (user, target) => {
  const answer = await mallory.call("POST", "keys/signatures/upload", `{"${user}": {"${target}": {}}}`);
  expect(answer.status).toBe(200);
  expect(answer.json.failures).not.toHaveProperty([user, "stack"]);
  expect((Object as any).polluted ?? ({} as any).polluted).toBeUndefined();
});

it.each(["__proto__", "constructor"])("a key backup of room %s changes no prototype", async (room) => {
  const made = await mallory.call("POST", "room_keys/version", { algorithm: "m.x", auth_data: {} });
  const { version } = made.json;
  const key = { first_message_index: 0, forwarded_count: 0, is_verified: false, session_data: {} };
  for (const session of ["polluted", "__proto__"]) {
    const put = await mallory.call("PUT", `room_keys/keys/${room}/${session}?version=${version}`, key);
    expect(put.status).toBe(200);
  }
  const all = await mallory.call("GET", `room_keys/keys?version=${version}`);
  expect(Object.getOwnPropertyNames(all.json.rooms)).toEqual([room]);
  const one = await mallory.call("GET", `room_keys/keys/${room}/polluted?version=${version}`);
  expect(one.json).toEqual(key);
  expect((await mallory.call("GET", `room_keys/keys/toString/call?version=${version}`)).status).toBe(404);
});

it("claiming one-time keys by inherited property names finds nothing", async () => {
  const body = '{"one_time_keys": {"constructor": {"keys": "x"}, "__proto__": {"keys": "x"}}}';
  const answer = await mallory.call("POST", "keys/claim", body);
  expect([answer.status, answer.json.one_time_keys]).toEqual([200, {}]);
});

it("a device may be named like an inherited property", async () => {
  const login = await server.call("POST", "login", {
    type: "m.login.password",
    identifier: { type: "m.id.user", user: "mallory" },
    password: "correct horse battery staple",
    device_id: "toString",
  });
  expect(login.status).toBe(200);
  const sent = await mallory.call("PUT", "sendToDevice/m.x/1", {
    messages: { [mallory.userId]: { [mallory.deviceId]: { a: 1 } } },
  });
  expect(sent.status).toBe(200);
  const headers = { Authorization: `Bearer ${login.json.access_token}` };
  const synced = await server.call("GET", "sync", undefined, headers);
  expect(synced.json.to_device.events).toEqual([]);
});
