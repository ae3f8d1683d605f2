import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  makePerson,
  openTestServer,
  password,
  type Person,
  type TestServer,
} from "../support/homeserver.ts";
import { makeActs } from "../support/matrix-acts.ts";

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
const acts = makeActs(() => server);

const register = (body: object): Promise<Answer> => server.call("POST", "register", body);
const dummy = (session?: string): object => ({ type: "m.login.dummy", ...(session ? { session } : {}) });
const ownPassword = (user: string, session?: string): object => ({
  type: "m.login.password",
  identifier: { type: "m.id.user", user },
  password,
  ...(session ? { session } : {}),
});
const login = (body: object): Promise<Answer> =>
  server.call("POST", "login", { type: "m.login.password", password, ...body });
const again = async (who: Person, deviceId: string): Promise<Person> =>
  makePerson(
    server,
    (await login({ identifier: { type: "m.id.user", user: who.userId }, device_id: deviceId })).json,
  );

describe("registration", () => {
  it("needs only the confirmation in the second request", async () => {
    const first = await register({
      username: "remembered",
      password,
      device_id: "xyzzy",
      initial_device_display_name: "shown",
    });
    expect(first.status).toBe(401);
    const { json } = await register({ auth: dummy(first.json.session) });
    expect(json).toMatchObject({ user_id: "@remembered:rookery.local", device_id: "xyzzy" });
    const device = await makePerson(server, json).call("GET", "devices/xyzzy");
    expect(device.json.display_name).toBe("shown");
  });

  it.each([
    ["with a user name", { username: "repeated", password }],
    ["without a user name", { password }],
  ])("returns the same account when repeated %s", async (_title, body) => {
    const { session } = (await register(body)).json;
    const first = await register({ ...body, auth: dummy(session) });
    const second = await register({ ...body, auth: dummy(session) });
    expect(second.status, second.text).toBe(200);
    expect(second.json.user_id).toBe(first.json.user_id);
    const { json } = await makePerson(server, second.json).call("GET", "account/whoami");
    expect(json.user_id).toBe(first.json.user_id);
  });

  it("cannot be repeated after the account was deactivated", async () => {
    const { session } = (await register({ username: "given-up", password })).json;
    const { json } = await register({ auth: dummy(session) });
    const auth = ownPassword(json.user_id);
    await makePerson(server, json).call("POST", "account/deactivate", { auth });
    const again = await register({ username: "given-up", password, auth: dummy(session) });
    expect([again.status, again.json.errcode]).toEqual([400, "M_USER_IN_USE"]);
  });

  it.each([true, 1])("creates no session with inhibit_login %s", async (flag) => {
    const { session } = (await register({ username: `inhibited${flag}`, password, inhibit_login: flag }))
      .json;
    const { json } = await register({ auth: dummy(session) });
    expect(Object.keys(json).toSorted()).toEqual(["home_server", "user_id"]);
  });

  it.each("!\":?\\@[]{|}£é\n' ,".split(""))("rejects a user name with %j", async (char) => {
    const { status, json } = await register({ username: `user-${char}-x`, password, auth: dummy() });
    expect([status, json.errcode]).toEqual([400, "M_INVALID_USERNAME"]);
  });

  it.each("q3._=-/+".split(""))("accepts a user name with %s", async (char) => {
    const { status } = await register({ username: `fine${char}`, password, auth: dummy() });
    expect(status).toBe(200);
  });

  it("lower-cases the name, accepts passwords in any script, and uses an auth session once", async () => {
    const { json } = await register({ username: "Upper-CASE", password: "übers3kr1t", auth: dummy() });
    expect(json.user_id).toBe("@upper-case:rookery.local");
    const answer = await login({
      identifier: { type: "m.id.user", user: "upper-case" },
      password: "übers3kr1t",
    });
    expect(answer.status).toBe(200);
  });
});

describe("login", () => {
  it.each([
    [
      "the full user id",
      { identifier: { type: "m.id.user", user: "@signs-in:rookery.local" } },
      200,
      undefined,
    ],
    ["the localpart", { identifier: { type: "m.id.user", user: "signs-in" } }, 200, undefined],
    [
      "capital letters",
      { identifier: { type: "m.id.user", user: "@Signs-In:rookery.local" } },
      200,
      undefined,
    ],
    ["the older form", { user: "signs-in" }, 200, undefined],
    [
      "another server",
      { identifier: { type: "m.id.user", user: "@signs-in:elsewhere.org" } },
      403,
      "M_FORBIDDEN",
    ],
    ["an email address", { identifier: { type: "m.id.thirdparty", address: "a@b.c" } }, 400, "M_UNKNOWN"],
    ["an unknown user", { identifier: { type: "m.id.user", user: "nobody-here" } }, 403, "M_FORBIDDEN"],
    ["another type", { type: "m.login.token", token: "t" }, 400, "M_UNKNOWN"],
  ])("by %s", async (_title, body, status, errcode) => {
    await register({ username: "signs-in", password, auth: dummy() });
    const answer = await login(body);
    expect([answer.status, answer.json.errcode]).toEqual([status, errcode]);
    if (status !== 200) return;
    expect(answer.json).toMatchObject({ user_id: "@signs-in:rookery.local", home_server: "rookery.local" });
    const { json } = await makePerson(server, answer.json).call("GET", "account/whoami");
    expect(json).toEqual({
      user_id: "@signs-in:rookery.local",
      device_id: answer.json.device_id,
      is_guest: false,
    });
  });
});

describe("user-interactive authentication", () => {
  it("confirms one operation, not another with the same session", async () => {
    const alice = await acts.person();
    for (const id of ["FIRST", "SECOND"]) await again(alice, id);
    const { session } = (await alice.call("DELETE", "devices/FIRST", {})).json;
    const other = await alice.call("DELETE", "devices/SECOND", { auth: ownPassword(alice.userId, session) });
    expect([other.status, other.json.errcode]).toEqual([403, "M_FORBIDDEN"]);
    expect((await alice.call("GET", "devices/SECOND")).status).toBe(200);
    const meant = await alice.call("DELETE", "devices/FIRST", { auth: ownPassword(alice.userId, session) });
    expect(meant.status).toBe(200);
    expect((await alice.call("GET", "devices/FIRST")).status).toBe(404);
  });

  it("answers a wrong password with the error and the flows", async () => {
    const alice = await acts.person();
    const auth = { type: "m.login.password", user: alice.userId, password: "cashewnuts" };
    const { status, json } = await alice.call("DELETE", "devices/X", { auth });
    expect([status, json.errcode]).toEqual([401, "M_FORBIDDEN"]);
    expect(Object.keys(json)).toEqual(expect.arrayContaining(["error", "session", "params", "flows"]));
    expect((await alice.call("DELETE", "devices/X")).status).toBe(401);
  });

  it("changes the password from the first request and signs out other devices and their pushers", async () => {
    const alice = await acts.person();
    const other = await again(alice, "OTHER");
    for (const [who, pushkey] of [
      [alice, "mine"],
      [other, "others"],
    ] as const)
      await who.call("POST", "pushers/set", {
        ...{
          app_id: "a",
          pushkey,
          kind: "http",
          app_display_name: "A",
          device_display_name: "D",
          lang: "en",
        },
        data: { url: "https://push.example/_matrix/push/v1/notify" },
      });
    const { session } = (await alice.call("POST", "account/password", { new_password: "another" })).json;
    const changed = await alice.call("POST", "account/password", {
      auth: ownPassword(alice.userId, session),
    });
    expect(changed.status, changed.text).toBe(200);
    expect((await other.call("GET", "account/whoami")).status).toBe(401);
    const { pushers } = (await alice.call("GET", "pushers")).json;
    expect(pushers.map(({ pushkey }: any) => pushkey)).toEqual(["mine"]);
    const user = { identifier: { type: "m.id.user", user: alice.userId } };
    expect((await login(user)).status).toBe(403);
    expect((await login({ ...user, password: "another" })).status).toBe(200);
  });

  it("keeps the other devices signed in on request", async () => {
    const alice = await acts.person();
    const other = await again(alice, "OTHER");
    const body = { new_password: "another", logout_devices: false, auth: ownPassword(alice.userId) };
    expect((await alice.call("POST", "account/password", body)).status).toBe(200);
    expect((await other.call("GET", "account/whoami")).status).toBe(200);
  });
});
