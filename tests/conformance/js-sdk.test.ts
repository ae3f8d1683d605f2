import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestServer, password, type TestServer } from "../support/homeserver.ts";
import { waitFor } from "../support/processes.ts";
import { loadTool } from "../support/tools.ts";

/** matrix-js-sdk, the library of Element, with our server: without and with encryption. */
let server: TestServer;
let sdk: any;
let slidingSync: any;
const clients: any[] = [];
const silence = (): void => {};
const quiet = {
  trace: silence,
  debug: silence,
  info: silence,
  warn: silence,
  error: silence,
  getChild: () => quiet,
};

beforeAll(async () => {
  server = await openTestServer();
  sdk = await loadTool("matrix-js-sdk/lib/index.js");
  slidingSync = await loadTool("matrix-js-sdk/lib/sliding-sync.js");
});

afterAll(async () => {
  for (const client of clients) client.stopClient();
  await server.close();
});

/** Syncs by simplified sliding sync instead of /sync. */
function makeSliding(client: any): any {
  const everything = { timeline_limit: 20, required_state: [["*", "*"]] };
  const lists = new Map([["all", { ranges: [[0, 20]], ...everything }]]);
  return new slidingSync.SlidingSync(server.url, lists, everything, client, 20_000);
}

async function signUp(name: string, crypto = false, isSliding = false): Promise<any> {
  const person = await server.register(name);
  const client = sdk.createClient({
    baseUrl: server.url,
    userId: person.userId,
    accessToken: person.token,
    deviceId: person.deviceId,
    logger: quiet,
  });
  clients.push(client);
  if (crypto) await client.initRustCrypto({ useIndexedDB: false });
  await client.startClient({
    initialSyncLimit: 20,
    lazyLoadMembers: !isSliding,
    ...(isSliding ? { slidingSync: makeSliding(client) } : {}),
  });
  await waitFor(() => client.getSyncState() === "PREPARED" || client.getSyncState() === "SYNCING", {
    describe: `${name}'s first sync`,
  });
  return client;
}

const texts = (client: any, roomId: string): string[] =>
  client
    .getRoom(roomId)
    ?.getLiveTimeline()
    .getEvents()
    .filter((event: any) => event.getType() === "m.room.message")
    .map((event: any) => event.getContent().body) ?? [];

describe("matrix-js-sdk", () => {
  it("signs in with a password and signs out", async () => {
    await server.register("lena");
    const client = sdk.createClient({ baseUrl: server.url });
    const login = await client.loginRequest({
      type: "m.login.password",
      identifier: { type: "m.id.user", user: "lena" },
      password,
    });
    expect(login.user_id).toBe("@lena:rookery.local");
    const signedIn = sdk.createClient({
      baseUrl: server.url,
      accessToken: login.access_token,
      userId: login.user_id,
    });
    expect(await signedIn.whoami()).toMatchObject({ user_id: login.user_id, device_id: login.device_id });
    await signedIn.logout(true);
    await expect(signedIn.whoami()).rejects.toMatchObject({ errcode: "M_UNKNOWN_TOKEN" });
  });

  it("supports a conversation: invitation, messages, edit, reaction, thread, redaction, receipts, unread counts", async () => {
    const [alice, bob] = [await signUp("alice"), await signUp("bob")];
    const { room_id: roomId } = await alice.createRoom({
      name: "Nest",
      preset: "private_chat",
      invite: [bob.getUserId()],
    });
    await waitFor(() => bob.getRoom(roomId)?.getMyMembership() === "invite", { describe: "the invitation" });
    await bob.joinRoom(roomId);
    await waitFor(() => alice.getRoom(roomId)?.getJoinedMemberCount() === 2, { describe: "bob in the room" });
    const { event_id: first } = await alice.sendTextMessage(roomId, "hello @bob");
    await waitFor(() => texts(bob, roomId).includes("hello @bob"), { describe: "the message" });
    expect(bob.getRoom(roomId).name).toBe("Nest");
    await waitFor(() => bob.getRoom(roomId).getUnreadNotificationCount("highlight") === 1, {
      describe: "a highlight",
    });

    await alice.sendEvent(roomId, "m.room.message", {
      msgtype: "m.text",
      body: "* hello bob",
      "m.new_content": { msgtype: "m.text", body: "hello bob" },
      "m.relates_to": { rel_type: "m.replace", event_id: first },
    });
    await waitFor(() => texts(bob, roomId).includes("hello bob"), { describe: "the edit" });

    await bob.sendEvent(roomId, "m.reaction", {
      "m.relates_to": { rel_type: "m.annotation", event_id: first, key: "👍" },
    });
    const thread = {
      rel_type: "m.thread",
      event_id: first,
      is_falling_back: true,
      "m.in_reply_to": { event_id: first },
    };
    const { event_id: reply } = await bob.sendEvent(roomId, "m.room.message", {
      msgtype: "m.text",
      body: "in a thread",
      "m.relates_to": thread,
    });
    const root = await alice.fetchRoomEvent(roomId, first);
    expect(root.unsigned["m.relations"]["m.thread"]).toMatchObject({
      count: 1,
      current_user_participated: true,
    });
    expect(root.unsigned["m.relations"]["m.replace"].content["m.new_content"].body).toBe("hello bob");
    const { events } = await alice.relations(roomId, first, "m.thread", "m.room.message");
    expect(events.map((event: any) => event.getId())).toEqual([reply]);

    await bob.sendReadReceipt(bob.getRoom(roomId).findEventById(first));
    await waitFor(() => alice.getRoom(roomId).hasUserReadEvent(bob.getUserId(), first), {
      describe: "the receipt",
    });
    await bob.redactEvent(roomId, reply);
    await waitFor(
      async () => (await alice.fetchRoomEvent(roomId, reply)).unsigned.redacted_because !== undefined,
    );
  });

  it("pages back through a long room without gaps or duplicates", async () => {
    const carol = await signUp("carol");
    const { room_id: roomId } = await carol.createRoom({});
    const sent = Array.from({ length: 60 }, (_, i) => `line ${i}`);
    for (const body of sent) await carol.sendTextMessage(roomId, body);
    const dave = await signUp("dave");
    await carol.invite(roomId, dave.getUserId());
    await dave.joinRoom(roomId);
    await waitFor(() => dave.getRoom(roomId)?.getMyMembership() === "join");
    const room = await waitFor(() => dave.getRoom(roomId));
    while (room.getLiveTimeline().getPaginationToken("b")) await dave.scrollback(room, 25);
    expect(texts(dave, roomId)).toEqual(sent);
  });

  it("stores account data, tags, direct rooms, profiles and push rules", async () => {
    const erin = await signUp("erin");
    const { room_id: roomId } = await erin.createRoom({ is_direct: true });
    await erin.setAccountData("m.direct", { "@x:rookery.local": [roomId] });
    await waitFor(() => erin.getAccountData("m.direct")?.getContent()["@x:rookery.local"]?.[0] === roomId);
    await erin.setRoomTag(roomId, "m.favourite", { order: 0.5 });
    await waitFor(() => erin.getRoom(roomId)?.tags["m.favourite"] !== undefined, { describe: "the tag" });
    await erin.setDisplayName("Erin the Owl");
    expect(await erin.getProfileInfo(erin.getUserId())).toMatchObject({ displayname: "Erin the Owl" });
    await waitFor(() => erin.getRoom(roomId)?.getMember(erin.getUserId())?.name === "Erin the Owl", {
      describe: "the name in the room",
    });
    await erin.addPushRule("global", "content", "owl", { pattern: "owl", actions: ["notify"] });
    expect((await erin.getPushRules()).global.content[0]).toMatchObject({ rule_id: "owl", pattern: "owl" });
  });

  it("uploads and downloads media through the authenticated endpoint", async () => {
    const frank = await signUp("frank");
    const { content_uri: uri } = await frank.uploadContent(Buffer.from("feather"), {
      name: "feather.txt",
      type: "text/plain",
    });
    const url = frank.mxcUrlToHttp(uri, undefined, undefined, undefined, false, true, true);
    const answer = await fetch(url, { headers: { Authorization: `Bearer ${frank.getAccessToken()}` } });
    expect([answer.status, await answer.text()]).toEqual([200, "feather"]);
    expect((await fetch(url)).status).toBe(401);
  });
});

describe("matrix-js-sdk with encryption", () => {
  it.each([
    ["/sync", false],
    ["sliding sync", true],
  ])("over %s lets two users talk while the server stores only ciphertext", async (_way, isSliding) => {
    const suffix = isSliding ? "-sliding" : "";
    const [grace, heidi] = [
      await signUp(`grace${suffix}`, true, isSliding),
      await signUp(`heidi${suffix}`, true, isSliding),
    ];
    const { room_id: roomId } = await grace.createRoom({
      preset: "private_chat",
      invite: [heidi.getUserId()],
      initial_state: [
        { type: "m.room.encryption", state_key: "", content: { algorithm: "m.megolm.v1.aes-sha2" } },
      ],
    });
    await waitFor(() => heidi.getRoom(roomId)?.getMyMembership() === "invite", {
      describe: "the invitation",
    });
    await heidi.joinRoom(roomId);
    await waitFor(() => grace.getRoom(roomId)?.getJoinedMemberCount() === 2, {
      describe: "both in the room",
    });
    for (const [from, to, body] of [
      [grace, heidi, "the eggs are in the third nest"],
      [heidi, grace, "understood"],
    ]) {
      await from.sendTextMessage(roomId, body);
      await waitFor(() => texts(to, roomId).includes(body), {
        describe: `"${body}" in plain text`,
      });
    }
    const { chunk } = await grace.createMessagesRequest(roomId, null, 20, "b");
    const encrypted = chunk.filter((event: any) => event.type === "m.room.encrypted");
    expect(encrypted).toHaveLength(2);
    expect(JSON.stringify(chunk)).not.toContain("third nest");
  });

  it("sets up cross-signing: published keys are served and sign the device", async () => {
    const ivan = await signUp("ivan", true);
    const crypto = ivan.getCrypto();
    await crypto.bootstrapCrossSigning({
      authUploadDeviceSigningKeys: (attempt: any) =>
        attempt({
          type: "m.login.password",
          identifier: { type: "m.id.user", user: ivan.getUserId() },
          password,
        }),
    });
    expect(await crypto.isCrossSigningReady()).toBe(true);
    const keys = await ivan.downloadKeysForUsers([ivan.getUserId()]);
    expect(Object.keys(keys)).toEqual(
      expect.arrayContaining(["device_keys", "master_keys", "self_signing_keys", "user_signing_keys"]),
    );
    const device = keys.device_keys[ivan.getUserId()][ivan.getDeviceId()];
    expect(Object.keys(device.signatures[ivan.getUserId()]).length).toBeGreaterThan(1);
  });
});
