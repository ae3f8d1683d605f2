import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/homeserver/json.ts";
import { openTestServer, password, type Person, type TestServer } from "../support/homeserver.ts";
import { makeActs } from "../support/matrix-acts.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
let carol: Person;
const acts = makeActs(() => server);
const { makeRoom, sync } = acts;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

interface Pair {
  id: string;
  publicKey: string;
  secret: KeyObject;
}

function makePair(): Pair {
  const { publicKey: made, privateKey: secret } = generateKeyPairSync("ed25519");
  const raw = made.export({ format: "der", type: "spki" }).subarray(-32);
  const publicKey = raw.toString("base64").replace(/=+$/, "");
  return { id: `ed25519:${publicKey}`, publicKey, secret };
}

/** Adds a signature to the object. */
function signed<T extends object>(
  content: T,
  userId: string,
  { id, secret }: Pair,
): T & { signatures: object } {
  const { signatures = {}, ...rest } = content as T & { signatures?: Record<string, object> };
  const signature = sign(null, Buffer.from(canonicalJson(rest)), secret)
    .toString("base64")
    .replace(/=+$/, "");
  return {
    ...(rest as T),
    signatures: { ...signatures, [userId]: { ...signatures[userId], [id]: signature } },
  };
}

const keyOf = (userId: string, usage: string, { id, publicKey }: Pair): object => ({
  user_id: userId,
  usage: [usage],
  keys: { [id]: publicKey },
});
const upload = (who: Person, keys: object): ReturnType<Person["call"]> =>
  who.call("POST", "keys/device_signing/upload", keys);
const query = async (who: Person, userId: string): Promise<any> =>
  (await who.call("POST", "keys/query", { device_keys: { [userId]: [] } })).json;
const changedFor = async (who: Person, since: string): Promise<string[]> =>
  (await sync(who, { since })).device_lists.changed;

describe("cross-signing keys", () => {
  const [master, selfSigning, userSigning, bobsMaster] = [makePair(), makePair(), makePair(), makePair()];
  let since: string;
  beforeAll(async () => {
    [alice, bob, carol] = [await acts.person(), await acts.person(), await acts.person()];
    await makeRoom(alice, [bob, carol]);
    const first = {
      master_key: keyOf(alice.userId, "master", master),
      self_signing_key: signed(keyOf(alice.userId, "self_signing", selfSigning), alice.userId, master),
    };
    expect((await upload(alice, first)).status).toBe(200);
    await upload(bob, { master_key: keyOf(bob.userId, "master", bobsMaster) });
    since = (await sync(carol)).next_batch;
  });

  it.each<[string, () => object, number, string]>([
    [
      "without a master key",
      () => ({ self_signing_key: keyOf(carol.userId, "self_signing", selfSigning) }),
      400,
      "M_MISSING_PARAM",
    ],
    [
      "not signed by the master key",
      () => ({
        master_key: keyOf(carol.userId, "master", master),
        self_signing_key: signed(keyOf(carol.userId, "self_signing", selfSigning), carol.userId, userSigning),
      }),
      400,
      "M_INVALID_SIGNATURE",
    ],
  ])("are rejected %s", async (_title, keys, status, errcode) => {
    const answer = await upload(carol, keys());
    expect([answer.status, answer.json.errcode]).toEqual([status, errcode]);
  });

  it("are replaced only with the password; a new user-signing key is announced to its owner only", async () => {
    const userKey = signed(keyOf(alice.userId, "user_signing", userSigning), alice.userId, master);
    const { status, json } = await upload(alice, { user_signing_key: userKey });
    expect(status).toBe(401);
    const { next_batch: own } = await sync(alice);
    const auth = { type: "m.login.password", user: alice.userId, password, session: json.session };
    // The keys were in the first request.
    expect((await upload(alice, { auth })).status).toBe(200);
    expect((await query(alice, alice.userId)).user_signing_keys[alice.userId]).toEqual(userKey);
    expect(await changedFor(alice, own)).toEqual([alice.userId]);
    expect(await changedFor(carol, since)).toEqual([]);
  });

  it("sign other users: only the signer sees the signature and is notified", async () => {
    const { next_batch: own } = await sync(alice);
    const content = signed(keyOf(bob.userId, "master", bobsMaster), alice.userId, userSigning);
    const { json } = await alice.call("POST", "keys/signatures/upload", {
      [bob.userId]: { [bobsMaster.publicKey]: content },
    });
    expect(json).toEqual({ failures: {} });
    expect(await changedFor(alice, own)).toEqual([bob.userId]);
    expect(await changedFor(carol, since)).toEqual([]);
    const [seen, hidden] = [await query(alice, bob.userId), await query(carol, bob.userId)];
    expect(seen.master_keys[bob.userId].signatures).toEqual(content.signatures);
    expect(hidden.master_keys[bob.userId].signatures).toBeUndefined();
    await server.restart();
    expect(await changedFor(alice, own)).toEqual([bob.userId]);
  });

  it("sign devices: users in shared rooms see the signature; an invalid one is reported and not stored", async () => {
    const device = {
      user_id: alice.userId,
      device_id: alice.deviceId,
      algorithms: ["m.olm.v1.curve25519-aes-sha2"],
      keys: { [`ed25519:${alice.deviceId}`]: makePair().publicKey },
    };
    await alice.call("POST", "keys/upload", { device_keys: device });
    const send = async (content: object): Promise<any> =>
      (await alice.call("POST", "keys/signatures/upload", { [alice.userId]: { [alice.deviceId]: content } }))
        .json;
    const wrong = await send(signed({ ...device, algorithms: [] }, alice.userId, selfSigning));
    expect(wrong.failures[alice.userId][alice.deviceId].errcode).toBe("M_INVALID_SIGNATURE");
    const stranger = await send(signed(device, alice.userId, makePair()));
    expect(stranger.failures[alice.userId][alice.deviceId].errcode).toBe("M_INVALID_SIGNATURE");
    const right = signed(device, alice.userId, selfSigning);
    expect(await send(right)).toEqual({ failures: {} });
    const { device_keys: keys } = await query(carol, alice.userId);
    expect(keys[alice.userId][alice.deviceId].signatures).toEqual(right.signatures);
    expect(await changedFor(carol, since)).toEqual([alice.userId]);
  });
});

describe("device keys", () => {
  it.each<[string, object, number]>([
    ["with all fields", { algorithms: [], keys: {}, signatures: {} }, 200],
    ["without a signature", { algorithms: [], keys: {} }, 200],
    ["without keys", {}, 400],
  ])("%s", async (_title, more, status) => {
    const dora = await acts.person();
    const answer = await dora.call("POST", "/_matrix/client/unstable/keys/upload", {
      device_keys: { user_id: dora.userId, device_id: dora.deviceId, ...more },
    });
    expect([answer.status, answer.json.errcode]).toEqual([status, status === 200 ? undefined : "M_BAD_JSON"]);
  });
});

describe("a key backup", () => {
  it("stores any client data; deleting the newest version restores the previous one", async () => {
    const dora = await acts.person();
    const create = async (): Promise<string> =>
      (await dora.call("POST", "room_keys/version", { algorithm: "m.megolm_backup.v1", auth_data: "opaque" }))
        .json.version;
    const [first, second] = [await create(), await create()];
    const key = { first_message_index: 3, forwarded_count: 0, is_verified: false, session_data: "opaque" };
    const path = `room_keys/keys/!abcd/1234?version=${second}`;
    expect((await dora.call("PUT", path, key)).json).toEqual({ etag: "1", count: 1 });
    expect((await dora.call("GET", path)).json).toEqual(key);
    expect((await dora.call("PUT", `room_keys/keys/!abcd/1234?version=${first}`, key)).json).toMatchObject({
      errcode: "M_WRONG_ROOM_KEYS_VERSION",
      current_version: second,
    });
    await dora.call("DELETE", `room_keys/version/${second}`);
    expect((await dora.call("GET", "room_keys/version")).json).toMatchObject({
      version: first,
      auth_data: "opaque",
    });
    expect((await dora.call("GET", `room_keys/version/${second}`)).status).toBe(404);
  });
});

it("four users with their keys and hundreds of messages need less than 20 MB, with the log of the database", async () => {
  const small = await openTestServer();
  const own = makeActs(() => small);
  const people = await Promise.all(Array.from({ length: 4 }, () => own.person()));
  const [first = await own.person(), ...others] = people;
  for (const each of people)
    await each.call("POST", "keys/upload", {
      one_time_keys: Object.fromEntries(
        Array.from({ length: 100 }, (_, n) => [`signed_curve25519:K${n}`, { key: "k".repeat(43) }]),
      ),
    });
  const roomId = await own.makeRoom(first, others);
  for (let n = 0; n < 300; n++) await own.say(people[n % 4] ?? first, roomId, `Message number ${n}.`);
  const bytes = readdirSync(small.folder, { recursive: true }).reduce(
    (sum, name) => sum + statSync(join(small.folder, String(name))).size,
    0,
  );
  await small.close();
  expect(bytes).toBeLessThan(20_000_000);
});
