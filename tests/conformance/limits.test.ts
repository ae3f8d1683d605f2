import { readdirSync, statSync } from "node:fs";
import { request, type ClientRequest } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  client,
  openTestServer,
  password,
  type Person,
  type TestServer,
} from "../support/homeserver.ts";
import { waitFor } from "../support/processes.ts";

let server: TestServer;
let alice: Person;
let bob: Person;
const enc = encodeURIComponent;
const nest = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
let txn = 0;

async function done(call: Promise<Answer>): Promise<any> {
  const answer = await call;
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

function send(from: Person, roomId: string, body: string): Promise<any> {
  const path = `rooms/${enc(roomId)}/send/m.room.message/t${txn++}`;
  return done(from.call("PUT", path, { msgtype: "m.text", body }));
}

beforeAll(async () => {
  server = await openTestServer({
    limits: { writesPerSecond: 0, waiting: 40, waitingPerUser: 30, mediaBytes: 400_000 },
  });
  [alice, bob] = [await server.register("alice"), await server.register("bob")];
});
afterAll(() => server.close());

describe("notifications", () => {
  it("show an invited user the invitation and no earlier messages", async () => {
    const { room_id: roomId } = await done(alice.call("POST", "createRoom", { preset: "private_chat" }));
    await send(alice, roomId, "secret of bob");
    await done(alice.call("POST", `rooms/${enc(roomId)}/invite`, { user_id: bob.userId }));
    await send(alice, roomId, "secret of bob again");
    const answer = await bob.call("GET", "notifications?limit=100");
    expect(answer.text).not.toContain("secret");
    const shown = answer.json.notifications.filter((n: any) => n.room_id === roomId);
    expect(shown.map(({ event }: any) => [event.type, event.state_key, event.content.membership])).toEqual([
      ["m.room.member", bob.userId, "invite"],
    ]);
  });

  it("show a member no events before the join if history is hidden", async () => {
    const visibility = {
      type: "m.room.history_visibility",
      state_key: "",
      content: { history_visibility: "joined" },
    };
    const { room_id: roomId } = await done(
      alice.call("POST", "createRoom", { invite: [bob.userId], initial_state: [visibility] }),
    );
    await send(alice, roomId, "hidden");
    await done(bob.call("POST", `join/${enc(roomId)}`, {}));
    await send(alice, roomId, "shown");
    const answer = await bob.call("GET", "notifications?limit=100");
    expect(answer.text).toContain("shown");
    expect(answer.text).not.toContain("hidden");
  });
});

describe("JSON depth", () => {
  it.each([
    ["PUT", "sendToDevice/m.x/deep", (inner: string) => `{"messages": {"{bob}": {"*": {"a": ${inner}}}}}`],
    ["PUT", "user/{alice}/account_data/m.x", (inner: string) => `{"a": ${inner}}`],
    ["POST", "keys/upload", (inner: string) => `{"one_time_keys": {"x:1": {"key": ${inner}}}}`],
    ["POST", "room_keys/version", (inner: string) => `{"algorithm": "a", "auth_data": ${inner}}`],
    ["POST", "user/{alice}/filter", (inner: string) => `{"x": ${inner}}`],
  ])("%s %s rejects 17,000 levels, with and without floats", async (method, path, body) => {
    for (const inner of [nest(17_000), `[1.5, ${nest(17_000)}]`]) {
      const text = body(inner).replace("{bob}", bob.userId);
      const answer = await alice.call(method, path.replace("{alice}", enc(alice.userId)), text);
      expect([answer.status, answer.json.errcode]).toEqual([400, "M_BAD_JSON"]);
    }
    for (const person of [alice, bob]) expect((await person.call("GET", "sync")).status).toBe(200);
  });

  it("does not break sync for a message stored before the limit", async () => {
    const { db, sessions } = server.homeserver.services;
    const device = sessions.devices(bob.userId)[0]?.n ?? 0;
    const message = `{"type": "m.x", "sender": "${alice.userId}", "content": {"a": ${nest(17_000)}}}`;
    db.write(
      "INSERT INTO to_device (stream, device, message) VALUES (?, ?, ?)",
      db.nextPosition(),
      device,
      message,
    );
    db.flush();
    await server.restart();
    await done(
      alice.call("PUT", `sendToDevice/m.x/t${txn++}`, { messages: { [bob.userId]: { "*": { after: 1 } } } }),
    );
    const { to_device: mail } = await done(bob.call("GET", "sync"));
    expect(mail.events.map(({ content }: any) => content)).toEqual([{}, { after: 1 }]);
  });
});

describe("messages to devices", () => {
  it("arrive in batches, each once, without delaying other data, even across a restart", async () => {
    const carol = await server.register("carol");
    const { room_id: roomId } = await done(carol.call("POST", "createRoom", {}));
    let { next_batch: since } = await done(carol.call("GET", "sync"));
    const sent = Array.from({ length: 250 }, (_, n) => n);
    for (const n of sent)
      await done(
        alice.call("PUT", `sendToDevice/m.x/t${txn++}`, { messages: { [carol.userId]: { "*": { n } } } }),
      );
    await send(carol, roomId, "once");
    const portions: number[][] = [];
    let timelines = 0;
    for (let i = 0; i < 4; i++) {
      if (i === 2) await server.restart();
      // A lost response: the client sends the same request again.
      await done(carol.call("GET", `sync?since=${since}`));
      const answer = await done(carol.call("GET", `sync?since=${since}`));
      portions.push(answer.to_device.events.map(({ content }: any) => content.n));
      timelines += answer.rooms.join[roomId]?.timeline.events.length ?? 0;
      since = answer.next_batch;
    }
    expect(portions.map(({ length }) => length)).toEqual([100, 100, 50, 0]);
    expect(portions.flat()).toEqual(sent);
    expect(timelines).toBe(1);
    expect((await carol.call("GET", `rooms/${enc(roomId)}/messages?dir=b&from=${since}`)).status).toBe(200);
  });

  it("are limited in number for a device that never syncs", async () => {
    const { db, sessions } = server.homeserver.services;
    const dora = await server.register("dora");
    const device = sessions.devices(dora.userId)[0]?.n ?? 0;
    const count = (): number =>
      db.get<{ n: number }>("SELECT count(*) AS n FROM to_device WHERE device = ?", device)?.n ?? 0;
    for (let i = 0; i < 9_999; i++)
      db.write(
        "INSERT INTO to_device (stream, device, message) VALUES (?, ?, '{}')",
        db.nextPosition(),
        device,
      );
    db.flush();
    const body = { messages: { [dora.userId]: { "*": { a: 1 } }, [bob.userId]: { "*": { a: 1 } } } };
    for (let i = 0; i < 3; i++) await done(alice.call("PUT", `sendToDevice/m.x/t${txn++}`, body));
    expect(count()).toBe(10_000);
    let since = "";
    for (let left = 10_000; left > 0; left -= 100)
      since = (await done(dora.call("GET", `sync${since && `?since=${since}`}`))).next_batch;
    await done(dora.call("GET", `sync?since=${since}`));
    expect(count()).toBe(0);
    await done(alice.call("PUT", `sendToDevice/m.x/t${txn++}`, body));
    expect(count()).toBe(1);
  });

  it("are rejected above 64 KiB", async () => {
    const body = { messages: { [bob.userId]: { "*": { text: "x".repeat(65_537) } } } };
    const answer = await alice.call("PUT", `sendToDevice/m.x/t${txn++}`, body);
    expect([answer.status, answer.json.errcode]).toEqual([413, "M_TOO_LARGE"]);
  });
});

describe("uploads", () => {
  const parts = (): string[] =>
    readdirSync(join(server.folder, "media")).filter((name) => name.endsWith(".part"));

  function beginUpload(
    person: Person,
    headers: Record<string, string> = {},
  ): Promise<[ClientRequest, Promise<any>]> {
    const url = `${server.url}/_matrix/media/v3/upload`;
    const outgoing = request(url, {
      method: "POST",
      agent: false,
      headers: { Authorization: `Bearer ${person.token}`, "Transfer-Encoding": "chunked", ...headers },
    });
    const answered = new Promise<any>((resolve, reject) => {
      outgoing.on("error", reject);
      outgoing.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode, json: JSON.parse(text) }));
      });
    });
    answered.catch(() => {}); // Aborted on purpose.
    return new Promise((resolve) => outgoing.write("x".repeat(100_000), () => resolve([outgoing, answered])));
  }

  it("are on disk while unfinished, limited per user, and leave no files behind", async () => {
    await done(alice.call("POST", "/_matrix/media/v3/upload", "makes the folder"));
    const begun = await Promise.all(Array.from({ length: 30 }, () => beginUpload(alice)));
    let limited = 0;
    for (const [, answered] of begun)
      void answered
        .then(({ json }) => (limited += json.errcode === "M_LIMIT_EXCEEDED" ? 1 : 0))
        .catch(() => {});
    await waitFor(() => limited === 22, { describe: () => `${limited} refused` });
    await waitFor(
      () =>
        parts().length === 8 &&
        parts().every((name) => statSync(join(server.folder, "media", name)).size === 100_000),
      { describe: () => `${parts().length} parts` },
    );
    // Other users are not affected.
    await done(bob.call("POST", "/_matrix/media/v3/upload", "hello"));
    for (const [outgoing] of begun) outgoing.destroy();
    await waitFor(() => parts().length === 0, { describe: () => parts().join() });
    await done(alice.call("POST", "/_matrix/media/v3/upload", "again"));
  });

  it("are rejected and removed if they exceed the limit", async () => {
    const before = readdirSync(join(server.folder, "media")).length;
    const [outgoing, answered] = await beginUpload(alice);
    outgoing.on("error", () => {}); // The server closes the connection while this still writes.
    for (let i = 0; i < 10; i++) outgoing.write("x".repeat(100_000));
    expect(await answered).toMatchObject({ status: 413, json: { errcode: "M_TOO_LARGE" } });
    outgoing.destroy();
    await waitFor(() => readdirSync(join(server.folder, "media")).length === before);
  });

  it("are served by the older endpoints only with a token", async () => {
    const { content_uri: uri } = await done(alice.call("POST", "/_matrix/media/v3/upload", "private"));
    for (const version of ["v3", "r0", "v1"]) {
      const path = `/_matrix/media/${version}/download/${uri.slice("mxc://".length)}`;
      const open = await server.call("GET", path);
      expect([open.status, open.json?.errcode]).toEqual([401, "M_MISSING_TOKEN"]);
      expect((await bob.call("GET", path)).text).toBe("private");
    }
  });
});

describe("unfinished requests", () => {
  it("share a memory budget per user, without affecting other users", async () => {
    const { bodyBudget } = server.homeserver.services.limits;
    expect(bodyBudget.used()).toBe(0);
    const open = Array.from({ length: 80 }, () => {
      const outgoing = request(`${server.url}/_matrix/client/v3/createRoom`, {
        method: "POST",
        agent: false,
        headers: { Authorization: `Bearer ${alice.token}`, "Transfer-Encoding": "chunked" },
      });
      outgoing.on("error", () => {}); // Aborted below or by the server.
      outgoing.write(`{"name": "${"x".repeat(900_000)}`);
      return outgoing;
    });
    let refused = 0;
    for (const outgoing of open)
      outgoing.on("response", ({ statusCode }) => (refused += statusCode === 429 ? 1 : 0));
    await waitFor(() => refused > 0, { describe: () => `${bodyBudget.used()} bytes held` });
    expect(bodyBudget.used()).toBeLessThanOrEqual(24_000_000);
    await done(bob.call("POST", "createRoom", {}));
    for (const outgoing of open) outgoing.destroy();
    await waitFor(() => bodyBudget.used() === 0);
    expect((await alice.call("GET", "account/whoami")).status).toBe(200);
  });
});

describe("the data of one user in memory", () => {
  const big = "x".repeat(60_000);
  const makeRoom = async (owner: Person): Promise<string> =>
    (await done(owner.call("POST", "createRoom", {}))).room_id;

  /** Without requests, which would take most of the time. */
  function fill(owner: Person, roomIds: readonly string[], count: number): void {
    const { timeline, rooms, db } = server.homeserver.services;
    for (const roomId of roomIds) {
      const room = rooms.get(roomId);
      for (let n = 0; n < count; n++) {
        timeline.append(room, {
          type: "org.example",
          stateKey: undefined,
          sender: owner.userId,
          content: { n, big },
        });
      }
      db.flush();
    }
  }

  it("is limited for account data, which can be replaced and made smaller at the limit", async () => {
    const eve = await server.register("eve");
    const put = (person: Person, type: string, length: number): Promise<Answer> =>
      person.call("PUT", `user/${enc(person.userId)}/account_data/${type}`, { a: "x".repeat(length) });
    for (let n = 0; n < 8; n++) await done(put(eve, `x.${n}`, 900_000));
    const refused = await put(eve, "x.8", 900_000);
    expect([refused.status, refused.json.errcode]).toEqual([413, "M_TOO_LARGE"]);
    await done(put(eve, "x.0", 900_000));
    await done(put(bob, "x.8", 900_000));
    await server.restart();
    expect((await put(eve, "x.8", 900_000)).status).toBe(413);
    await done(put(eve, "x.0", 0));
    await done(put(eve, "x.8", 900_000));
  });

  it("is not counted for a client that leaves before its response", async () => {
    const { reads, limits } = server.homeserver.services;
    const path = `user/${enc(alice.userId)}/account_data/x.left`;
    await done(alice.call("PUT", path, { a: "x".repeat(900_000) }));
    // Its sync waits until other reads of the user have ended.
    const others = Promise.withResolvers<void>();
    const running = [1, 2].map(() => reads.run(alice.userId, () => others.promise));
    const headers = { authorization: `Bearer ${alice.token}` };
    const sync = new URL(`${server.url}${client}/sync`);
    const outgoing = request(sync, { headers, agent: false }).on("error", () => {});
    const isOver = new Promise((resolve) => outgoing.on("close", resolve));
    outgoing.end();
    await done(alice.call("GET", "account/whoami"));
    outgoing.destroy();
    await isOver;
    await done(alice.call("GET", "account/whoami"));
    others.resolve();
    await Promise.all(running);
    expect((await alice.call("GET", "sync")).text.length).toBeGreaterThan(900_000);
    await waitFor(() => limits.responseBudget.used() === 0, {
      describe: () => `${limits.responseBudget.used()} bytes to be released`,
    });
  });

  it("is limited for requests that wait for a confirmation", async () => {
    const body = { new_password: "another secret", more: "x".repeat(900_000) };
    const refused = await alice.call("POST", "account/password", body);
    expect([refused.status, refused.json.errcode]).toEqual([413, "M_TOO_LARGE"]);
  });

  it("is limited for the state of a room, which can still be left", async () => {
    const roomId = await makeRoom(alice);
    const path = `rooms/${enc(roomId)}/state/org.example`;
    const sent = [];
    for (let n = 0; n < 140; n++) sent.push(await alice.call("PUT", `${path}/${n}`, { big }));
    const refused = sent.find(({ status }) => status !== 200);
    expect([refused?.status, refused?.json.errcode]).toEqual([413, "M_TOO_LARGE"]);
    await done(alice.call("PUT", `${path}/0`, { small: true }));
    await done(alice.call("POST", `rooms/${enc(roomId)}/leave`, {}));
  });

  it("does not grow with the size of messages: a sync and a page get fewer, and no message is lost", async () => {
    const frank = await server.register("frank");
    const roomIds = await Promise.all(Array.from({ length: 4 }, () => makeRoom(frank)));
    fill(frank, roomIds, 200);
    const filter = enc(JSON.stringify({ room: { timeline: { limit: 1_000 } } }));
    const answer = await frank.call("GET", `sync?filter=${filter}`);
    expect(answer.text.length).toBeLessThan(34_000_000);
    for (const roomId of roomIds) {
      const { timeline } = answer.json.rooms.join[roomId];
      const seen = new Set<string>(timeline.events.map((event: any) => event.event_id));
      expect(seen.size).toBeGreaterThan(0);
      for (let from: string | undefined = timeline.prev_batch; from !== undefined; ) {
        const page = await frank.call("GET", `rooms/${enc(roomId)}/messages?dir=b&limit=1000&from=${from}`);
        expect(page.text.length).toBeLessThan(5_000_000);
        for (const event of page.json.chunk) seen.add(event.event_id);
        from = page.json.end;
      }
      const created = 6;
      expect(seen.size).toBe(200 + created);
    }
  });

  it("is dropped and read again when many rooms are in memory", async () => {
    const gina = await server.register("gina");
    const roomIds = await Promise.all(Array.from({ length: 70 }, () => makeRoom(gina)));
    fill(gina, roomIds, 26);
    const { rooms } = server.homeserver.services;
    await waitFor(() => rooms.heldBytes() < 96_000_000);
    const { next_batch: since } = await done(gina.call("GET", "sync"));
    for (const roomId of roomIds) await send(gina, roomId, "after it");
    const { rooms: shown } = await done(gina.call("GET", `sync?since=${since}`));
    const bodies = roomIds.map((roomId) =>
      shown.join[roomId].timeline.events.map(({ content }: any) => content.body),
    );
    expect(bodies).toEqual(roomIds.map(() => ["after it"]));
  });
});

it("a client that does not read its responses does not keep them in memory", async () => {
  const { responseBudget } = server.homeserver.services.limits;
  const frank = await done(
    server.call("POST", "login", {
      type: "m.login.password",
      identifier: { type: "m.id.user", user: "frank" },
      password,
    }),
  );
  const filter = enc(JSON.stringify({ room: { timeline: { limit: 1_000 } } }));
  const statuses: (number | undefined)[] = [];
  const open = Array.from({ length: 6 }, () => {
    const outgoing = request(`${server.url}/_matrix/client/v3/sync?filter=${filter}`, {
      agent: false,
      headers: { Authorization: `Bearer ${frank.access_token}` },
    });
    outgoing.on("error", () => {}); // Aborted below.
    outgoing.on("response", ({ statusCode }) => statuses.push(statusCode));
    outgoing.end();
    return outgoing;
  });
  await waitFor(() => statuses.length === open.length, { describe: () => statuses.join() });
  expect(statuses).toContain(429);
  expect(responseBudget.used()).toBeLessThanOrEqual(96_000_000);
  for (const outgoing of open) outgoing.destroy();
  await waitFor(() => responseBudget.used() === 0);
});

it("hostile push rules that were stored earlier do no harm after a restart", async () => {
  const { room_id: roomId } = await done(alice.call("POST", "createRoom", { invite: [bob.userId] }));
  await done(bob.call("POST", `join/${enc(roomId)}`, {}));
  const { accountData, pushRules, db } = server.homeserver.services;
  const rule = { default: false, enabled: true, actions: ["notify"] };
  const content = ["a*".repeat(100), "?*".repeat(60), "a*".repeat(40_000)].map((start, n) => ({
    ...rule,
    rule_id: `hostile${n}`,
    pattern: `${start}b`,
  }));
  accountData.set(bob.userId, "", "m.push_rules", { global: { ...pushRules.get(bob.userId), content } });
  db.flush();
  for (let i = 0; i < 5; i++) await send(alice, roomId, "a".repeat(60_000));
  await server.restart();
  const started = performance.now();
  await done(bob.call("GET", "sync"));
  expect(performance.now() - started).toBeLessThan(10_000);
});
