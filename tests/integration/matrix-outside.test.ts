import { readFileSync, statSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { prepareHome } from "../../src/config/home.ts";
import { updateSecrets } from "../../src/config/secrets.ts";
import { loadBotSdk } from "../support/bot-sdk.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { examine, expectFinding } from "../support/doctor.ts";
import { type FaultProxy, openFaultProxy } from "../support/fault-proxy.ts";
import { openTestServer, password, type Person, type TestServer } from "../support/homeserver.ts";
import { isLong } from "../support/long.ts";
import { fencesIn, type StagedSession, useMailStage } from "../support/mail-stage.ts";
import { launcher } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
let server: TestServer;
let proxy: FaultProxy;
let ada: Person;
let eve: Person;
let bob: Person;
let here: Rookery;
let there: Rookery;
let restricted: Rookery;
const remoteOf = (project: string): string => `git@git.example.org:acme/${project}.git`;
const stage = useMailStage(() => here, remoteOf);
const outside = useOutside();
const elsewhere = useMailStage(() => there, remoteOf);
const limited = useMailStage(() => restricted);
const unrelated = useMailStage(
  () => there,
  () => "https://git.example.org/other/shop",
);

/** A homeserver elsewhere with a person, and two machines whose agents talk through it. */
beforeAll(async () => {
  server = await openTestServer({ serverName: "example.org" });
  proxy = await openFaultProxy(server.url);
  [ada, eve, bob] = [
    await server.register("ada"),
    await server.register("eve"),
    await server.register("bob"),
  ];
  const bots = [await server.register("bot1"), await server.register("bot2")];
  const open = (url: string, bot: Person | undefined, machine: string): Rookery =>
    rookeries.open({
      ROOKERY_MATRIX_MACHINE: machine,
      ROOKERY_MATRIX_INVITED_BY: "@bob:example.org",
      ROOKERY_MATRIX_HOMESERVER: url,
      ROOKERY_MATRIX_OWNER: ada.userId,
      ROOKERY_MATRIX_TOKEN: bot?.token ?? "",
    });
  here = open(proxy.url, bots[0], "here");
  there = open(server.url, bots[1], "there");
  await Promise.all([spawnDaemon(here), spawnDaemon(there)]);
});
afterAll(async () => {
  await proxy.close();
  await server.close();
});

const quote = encodeURIComponent;
/** The same on every machine with this remote. */
const shopAlias = "rookery-shop-f6e294ac";
const roomOf = async (alias: string): Promise<string> =>
  waitFor(
    async () => (await ada.call("GET", `directory/room/${quote(`#${alias}:example.org`)}`)).json.room_id,
  );
const bodies = async (room: string): Promise<string[]> =>
  (await ada.call("GET", `rooms/${quote(room)}/messages?dir=b&limit=100`)).json.chunk
    .map(({ content }: any) => content.body)
    .filter(Boolean)
    .toReversed();
let acts = 0;
const unreadIn = async (rookery: Rookery, room: string): Promise<number> =>
  (await rookery.call("GET", "/api/rooms")).json.rooms.find(({ id }: any) => id === room).unread;
const write = (person: Person, room: string, body: string) =>
  person.call("PUT", `rooms/${quote(room)}/send/m.room.message/act${++acts}`, { msgtype: "m.text", body });

describe("on another homeserver", () => {
  test("agents of one machine share an account and prefix their names", async () => {
    const [rook, jay, daw] = [await stage.open("shop"), await stage.open("shop"), await stage.open("shop")];
    const room = await roomOf(shopAlias);
    await ada.call("POST", `join/${quote(room)}`, {});
    expect((await rook.send(jay.agent, "Ready.")).json.state).toBe("sent");
    await stage.waitForText(jay, (text) => text.includes("Ready."));
    expect(await bodies(room)).toContain(`${rook.agent} → ${jay.agent}: Ready.`);
    await rook.send("project", "Hello, all.");
    for (const session of [jay, daw])
      await stage.waitForText(session, (text) => text.includes("Hello, all."));
    await write(ada, room, `@${daw.agent} please look`);
    // The owner's name, as in messages from the command line.
    expect(await stage.waitForText(daw, (text) => text.includes("please look"))).toContain('from="ada"');
    expect(fencesIn((await rook.say("PostToolUse")) + (await jay.say("PostToolUse")))).toEqual([]);
  });

  test("messages that the owner reads there are marked read here, but not the reverse", async () => {
    const room = await roomOf(shopAlias);
    const [rook] = [await stage.open("shop")];
    await rook.send("project", "@ada, for your eyes.");
    await waitFor(async () => (await unreadIn(here, room)) > 0);
    const { chunk } = (await ada.call("GET", `rooms/${quote(room)}/messages?dir=b&limit=1`)).json;
    await ada.call("POST", `rooms/${quote(room)}/receipt/m.read/${quote(chunk[0].event_id)}`, {});
    await waitFor(async () => (await unreadIn(here, room)) === 0);
    await rook.send("project", "@ada, once more.");
    await waitFor(async () => (await unreadIn(here, room)) === 1);
    const path = `/api/rooms/${quote(room)}/read`;
    expect((await outside.call(here, "POST", path)).json).toMatchObject({ unread: 0 });
    const { rooms } = (await ada.call("GET", "sync")).json;
    expect(rooms.join[room].unread_notifications.notification_count).toBeGreaterThan(0);
  });

  test("messages written during an outage or a rate limit arrive once, in order", async () => {
    const [rook, jay] = [await stage.open("shop"), await stage.open("shop")];
    for (const fault of [
      "hang up",
      { status: 429, body: { errcode: "M_LIMIT_EXCEEDED", retry_after_ms: 600 } },
      { status: 502, body: {} },
    ] as const) {
      proxy.answer(fault);
      const name = typeof fault === "string" ? fault : `status ${fault.status}`;
      for (const n of [1, 2])
        expect((await rook.send(jay.agent, `During ${name}: ${n}.`)).json.state).toBe("queued");
      proxy.answer(undefined);
      let received = "";
      await waitFor(async () => {
        received += await jay.say("PostToolUse");
        return received.includes(`During ${name}: 2.`);
      });
      expect(received.match(/During .*?\./g)).toEqual([`During ${name}: 1.`, `During ${name}: 2.`]);
    }
  });

  test("only invitations of the owner and of listed people are accepted; then agents of two machines share a room", async () => {
    const far = await elsewhere.open("shop");
    const room = await roomOf(shopAlias);
    // The room is private: the owner invites the second machine.
    expect((await far.send("project", "Let me in.")).json).toMatchObject({ state: "queued" });
    await ada.call("POST", `rooms/${quote(room)}/invite`, { user_id: "@bot2:example.org" });
    const trap = await eve.call("POST", "createRoom", { invite: ["@bot2:example.org"], is_direct: true });
    const memberOf = async (id: string, person: Person): Promise<string> =>
      (await person.call("GET", `rooms/${quote(id)}/state/m.room.member/${quote("@bot2:example.org")}`)).json
        .membership;
    await waitFor(async () => (await memberOf(room, ada)) === "join");
    const near = await stage.open("shop");
    await far.send("project", `@${near.agent} greetings from afar`);
    await stage.waitForText(near, (text) => text.includes("greetings from afar"));
    expect(await memberOf(trap.json.room_id, eve)).toBe("invite");
    const { json } = await there.call("GET", "/api/matrix");
    expect(json).toMatchObject({
      machine: "there",
      limits: [expect.stringContaining("@eve:example.org invited")],
    });
    const team = await bob.call("POST", "createRoom", { invite: ["@bot2:example.org"] });
    await waitFor(async () => (await memberOf(team.json.room_id, bob)) === "join");
  });

  test("a message between two agents of one machine reaches no agent of another, not even a namesake", async () => {
    const near = await stage.open("shop");
    const [far, peer] = [await elsewhere.open("shop"), await elsewhere.open("shop")];
    await far.send(peer.agent, "Only for you: the blue door.");
    await elsewhere.waitForText(peer, (text) => text.includes("blue door"));
    await far.send("project", "Hello to every machine.");
    await stage.waitForText(near, (text) => text.includes("Hello to every machine."));
    expect(here.query("SELECT agent_id FROM deliveries WHERE body LIKE '%blue door%'")).toEqual([]);
  });

  test("an agent of another machine is addressed by its machine, and answered by its full name", async () => {
    const [near, jay] = [await stage.open("shop"), await stage.open("shop")];
    const [far, peer] = [await elsewhere.open("shop"), await elsewhere.open("shop")];
    const isFor = (text: string) => (received: string) => received.includes(text);
    const queued = (machine: Rookery, text: string): any[] =>
      machine.query(
        "SELECT a.name FROM deliveries d JOIN agents a ON a.id = d.agent_id WHERE d.body LIKE ?",
        `%${text}%`,
      );
    await near.send(`${far.agent}@there`, "The green gate is open.");
    const received = await elsewhere.waitForText(far, isFor("green gate"));
    const full = `${near.agent}@here (@bot1:example.org)`;
    expect(received).toContain(`from="${full}"`);
    await far.send(full, "Then close the green gate.");
    expect(await stage.waitForText(near, isFor("close the green"))).toContain(
      `from="${far.agent}@there (@bot2:example.org)"`,
    );
    await peer.send("project", `@${jay.agent}@here the gate squeaks.`);
    await stage.waitForText(jay, isFor("gate squeaks"));
    await near.send("project", "The gate is done.");
    for (const session of [far, peer]) await elsewhere.waitForText(session, isFor("gate is done"));
    expect(queued(there, "green gate is open")).toEqual([{ name: far.agent }]);
    expect(queued(here, "green gate")).toEqual([{ name: near.agent }]);
    expect(queued(here, "squeaks")).toEqual([{ name: jay.agent }]);
    expect(queued(there, "squeaks")).toEqual([]);
    const { json: lost } = await near.send("shop-wren@nowhere", "Anyone?");
    const stateOf = async () =>
      (await here.call("GET", "/api/messages?limit=50")).json.messages.find(({ id }: any) => id === lost.id);
    const failure = await stage.waitForText(near, isFor("was not delivered"));
    expect(failure).toContain("No agent shop-wren of a machine nowhere");
    expect(await stateOf()).toBeUndefined();
  });

  test("projects of one name with other remotes have rooms of their own", async () => {
    const far = await unrelated.open("shop", { id: "unrelated" });
    await far.send("project", "Only the other shop.");
    await waitFor(
      () =>
        there.query("SELECT 1 FROM messages WHERE body LIKE '%other shop%' AND state = 'sent'").length > 0,
    );
    const rooms = there.query("SELECT id FROM rooms WHERE kind = 'project' AND name = 'shop'");
    expect(new Set(rooms.map(({ id }) => id)).size).toBe(2);
    expect(rooms.map(({ id }) => id)).toContain(await roomOf(shopAlias));
  });

  test("two machines with one account and its password stay signed in", async () => {
    const bot = await server.register("bot3");
    const machines = [1, 2].map(() => {
      const machine = rookeries.open({
        ROOKERY_MATRIX_HOMESERVER: server.url,
        ROOKERY_MATRIX_OWNER: ada.userId,
      });
      prepareHome(machine.home);
      updateSecrets(machine.home.secrets, (secrets) => (secrets.matrix = { user: "bot3", password }));
      return machine;
    });
    for (const machine of machines) await spawnDaemon(machine);
    const devices = async (): Promise<string[]> =>
      (await bot.call("GET", "devices")).json.devices
        .map(({ device_id }: any) => device_id)
        .filter((id: string) => id.startsWith("ROOKERY"));
    const seen = await waitFor(async () => (await devices()).length === 2 && devices(), {
      timeoutMs: 15_000,
    });
    expect(new Set(seen).size).toBe(2);
  });

  test("tasks are events of their own type in the project's room, and one from elsewhere changes the task", async () => {
    const [rook, jay] = [await stage.open("shop"), await stage.open("shop")];
    const far = await elsewhere.open("shop");
    const room = await roomOf(shopAlias);
    const give = { title: "Paint the shed", to: jay.agent, hostPid: rook.claude.pid };
    const { json: task } = await here.call("POST", "/api/tasks", give);
    const events = async (): Promise<any[]> =>
      (await ada.call("GET", `rooms/${quote(room)}/messages?dir=b&limit=100`)).json.chunk.filter(
        ({ type }: any) => type === "com.claudematrix.task",
      );
    const [event] = await waitFor(async () => (await events()).length > 0 && events());
    expect(event.content).toMatchObject({ task_id: task.id, status: "submitted", title: "Paint the shed" });
    // The message for people follows the event.
    const notices = async (): Promise<number> =>
      (await bodies(room)).filter((body) => body.includes("Paint the shed") && body.includes("submitted"))
        .length;
    await waitFor(async () => (await notices()) === 1);

    const stateIn = async (machine: Rookery): Promise<any> =>
      (await machine.call("GET", "/api/tasks?limit=500")).json.tasks.find(({ id }: any) => id === task.id);
    await waitFor(async () => (await stateIn(there))?.title === "Paint the shed", {
      describe: "the task on the other machine",
    });
    const taken = await there.call("PATCH", `/api/tasks/${task.id}`, {
      status: "working",
      hostPid: far.claude.pid,
    });
    expect(taken).toMatchObject({ status: 200, json: { status: "working", rev: 2 } });
    await waitFor(async () => (await stateIn(here)).status === "working", { describe: "working here" });
    const content = { task_id: task.id, status: "complete" };
    await ada.call("PUT", `rooms/${quote(room)}/send/com.claudematrix.task/own1`, content);
    for (const machine of [here, there])
      await waitFor(async () => (await stateIn(machine)).status === "completed", { describe: "completed" });
    expect((await events()).length).toBe(3);
    expect(await notices()).toBe(1);
  });

  test("a bot that listens for task and lease events gets both, and its own events change them on every machine", async () => {
    const [rook, jay] = [await stage.open("shop"), await stage.open("shop")];
    const far = await elsewhere.open("shop");
    const room = await roomOf(shopAlias);
    const { token, userId } = await server.register("listener");
    await ada.call("POST", `rooms/${quote(room)}/invite`, { user_id: userId });
    const sdk = loadBotSdk();
    const bot = new sdk.MatrixClient(server.url, token, new sdk.MemoryStorageProvider());
    const received: any[] = [];
    bot.on("room.event", (_room: string, event: any) => received.push(event));
    await bot.joinRoom(room);
    await bot.start();
    try {
      const receives = (type: string, content: object) =>
        waitFor(() =>
          received.some((event) => {
            const isSame = ([key, value]: [string, unknown]) => event.content[key] === value;
            return event.type === type && Object.entries(content).every(isSame);
          }),
        );
      const leaseOf = async (machine: Rookery, id: string): Promise<any> =>
        (await machine.call("GET", "/api/leases")).json.leases.find((lease: any) => lease.id === id);
      const edit = (session: StagedSession, file: string) =>
        session.say("PreToolUse", { tool_name: "Edit", tool_input: { file_path: `${session.cwd}/${file}` } });
      const tell = (type: string, content: object) =>
        bot.sendEvent(room, `com.claudematrix.${type}`, content);

      const wish = { globs: ["src/api/**"], minutes: 20, hostPid: rook.claude.pid };
      const { json: lease } = await here.call("POST", "/api/leases", wish);
      await receives("com.claudematrix.lease", {
        lease_id: lease.id,
        holder: `${rook.agent}@here`,
        exclusive: true,
        expires_ts: lease.expiresAt,
      });
      const there1 = await waitFor(() => leaseOf(there, lease.id));
      const holder = `${rook.agent}@here (@bot1:example.org)`;
      expect(there1.holder).toBe(holder);
      expect(await edit(far, "src/api/users.ts")).toContain(`${holder} holds a lease`);
      const refused = await there.call("POST", "/api/leases", { ...wish, hostPid: far.claude.pid });
      expect(refused.json).toMatchObject({ code: "lease_taken" });

      // The lease of another account is not the bot's to end.
      await tell("lease", { lease_id: lease.id, expires_ts: 0, holder: rook.agent });
      const until = Date.now() + 600_000;
      await tell("lease", { lease_id: "bot-1", globs: ["docs/**"], expires_ts: until });
      for (const machine of [here, there])
        expect(await waitFor(() => leaseOf(machine, "bot-1"))).toMatchObject({
          holder: userId,
          globs: ["docs/**"],
          exclusive: true,
          expiresAt: until,
        });
      expect(await leaseOf(here, lease.id)).toBeDefined();
      expect(await edit(jay, "docs/a.md")).toContain(`${userId} holds a lease on docs/**`);
      await tell("lease", { lease_id: "bot-1", expires_ts: 0 });
      await waitFor(async () => (await leaseOf(here, "bot-1")) === undefined);
      expect(await edit(jay, "docs/a.md")).toBe("");

      // Each machine granted a lease on the same files: the agents are warned, but neither is blocked.
      await outside.run([...launcher, "projects", "shop", "--leases", "block"], there.env);
      const both = { globs: ["web/**"], hostPid: far.claude.pid };
      expect((await there.call("POST", "/api/leases", both)).status).toBe(201);
      await tell("lease", { lease_id: "bot-2", globs: ["web/**"], expires_ts: until });
      await waitFor(() => leaseOf(there, "bot-2"));
      expect(await edit(far, "web/a.ts")).toContain(`${userId} holds a lease on web/**`);

      await here.call("DELETE", `/api/leases/${lease.id}?pid=${rook.claude.pid}`);
      await receives("com.claudematrix.lease", { lease_id: lease.id, expires_ts: 0 });
      await waitFor(async () => (await leaseOf(there, lease.id)) === undefined);

      const give = { title: "Oil the hinges", to: jay.agent, hostPid: rook.claude.pid };
      const { json: task } = await here.call("POST", "/api/tasks", give);
      await receives("com.claudematrix.task", { task_id: task.id, status: "submitted" });
      await tell("task", { task_id: task.id, status: "complete" });
      for (const machine of [here, there]) {
        const read = async () =>
          (await machine.call("GET", "/api/tasks?limit=500")).json.tasks.find(
            ({ id }: any) => id === task.id,
          );
        await waitFor(async () => (await read())?.status === "completed", {
          describe: async () => `the completed task: ${JSON.stringify(await read())}`,
        });
      }
    } finally {
      bot.stop();
    }
  });

  test("doctor says what the homeserver does not allow", async () => {
    // As servers do that encrypt every new room.
    const encryption = {
      type: "m.room.encryption",
      state_key: "",
      content: { algorithm: "m.megolm.v1.aes-sha2" },
    };
    const strict = await openFaultProxy(server.url, (path, body: { initial_state?: object[] }) =>
      path.includes("/createRoom")
        ? { ...body, initial_state: [...(body.initial_state ?? []), encryption] }
        : body,
    );
    const bot = await server.register("bot4");
    restricted = rookeries.open({
      PATH: "/usr/bin:/bin",
      ROOKERY_MATRIX_HOMESERVER: strict.url,
      ROOKERY_MATRIX_OWNER: ada.userId,
      ROOKERY_MATRIX_TOKEN: bot.token,
    });
    await spawnDaemon(restricted);
    const before = (await examine(restricted)).report;
    expectFinding(before, { check: "Homeserver", verdict: "ok", message: /answers at/ });

    const jay = await limited.open("attic");
    await jay.send("project", "Is this room encrypted?");
    const stateOf = (body: string) =>
      restricted.query("SELECT state FROM messages WHERE body LIKE ?", `%${body}%`)[0]?.["state"];
    await waitFor(() => stateOf("encrypted") === "sent");
    strict.answer({ status: 429, body: { errcode: "M_LIMIT_EXCEEDED", retry_after_ms: 600 } });
    expect((await jay.send("project", "Too fast?")).json.state).toBe("queued");
    const limits = async (): Promise<string[]> => (await restricted.call("GET", "/api/matrix")).json.limits;
    await waitFor(async () => (await limits()).length === 2);
    strict.answer(undefined);
    await eve.call("POST", "createRoom", { invite: ["@bot4:example.org"] });
    await waitFor(async () => (await limits()).length === 3);

    const { code, report } = await examine(restricted);
    for (const message of [
      /^It encrypts every new room, so agents cannot read their own rooms\. Ask its administrator/,
      /^It limits how often one account may send: messages wait for it\./,
      /^@eve:example\.org invited us to a room: accept with matrix\.invitedBy\.$/,
    ])
      expectFinding(report, {
        check: "Homeserver",
        verdict: "warning",
        message,
        fix: /^docs\/agents\.md#another-homeserver$/,
      });
    expect(code).toBe(0);
    await waitFor(() => stateOf("Too fast") === "sent");
    await strict.close();
  });

  test.runIf(isLong)("an invalid token is reported", async () => {
    const counted = await openFaultProxy(server.url);
    const lost = rookeries.open({
      ROOKERY_MATRIX_HOMESERVER: counted.url,
      ROOKERY_MATRIX_TOKEN: "wrong",
      ROOKERY_MATRIX_OWNER: ada.userId,
    });
    await spawnDaemon(lost);
    const trouble = await waitFor(
      async () => (await lost.call("GET", "/api/matrix")).json.following[0]?.trouble,
    );
    expect(trouble).toContain("refused the login");
    expect(trouble).not.toContain("wrong");
    expect((await lost.cli("status")).stdout).toMatch(/Matrix +.*refused the login/s);
    const { findings } = JSON.parse((await lost.cli("doctor", "--json")).stdout);
    expect(findings.find(({ check }: any) => check === "Homeserver")).toMatchObject({
      verdict: "problem",
      message: expect.stringContaining("refused the login"),
      fix: expect.stringContaining("rookery setup matrix"),
    });
    const sent = await outside.run([...launcher, "send", "--to", ada.userId, "Hello."], lost.env);
    expect(sent.stderr).toBe("");
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringContaining("Queued") });
    expect(sent.stdout).toContain("refused the login");
    const before = counted.requests();
    await waitFor(() => counted.requests() > before + 4, { describe: "more sign-ins" });
    const lines = readFileSync(lost.home.log, "utf8").split("\n");
    expect(lines.filter((line) => line.includes("mail is not followed"))).toHaveLength(1);
    await counted.close();
  });

  test("`rookery setup matrix` stores the token in a private file and removes it", async () => {
    const bot = await server.register("setup-bot");
    const home = rookeries.open({ TOKEN_OF_BOT: bot.token, WRONG: "not-the-password" });
    const setup = (...args: string[]) => outside.run([...launcher, "setup", "matrix", ...args], home.env);
    expect((await setup("--homeserver", "example.org")).code).toBe(2);
    expect((await setup("--homeserver", server.url, "--owner", "ada")).stderr).toContain("--owner takes");
    const owner = ["--owner", ada.userId];
    expect((await setup("--homeserver", server.url, ...owner)).stderr).toContain("--token-from-env");
    const ran = await setup("--homeserver", server.url, ...owner, "--token-from-env", "TOKEN_OF_BOT");
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(`${server.url} (outside)`) });
    expect(statSync(home.home.secrets).mode & 0o777).toBe(0o600);
    expect(readFileSync(home.home.config, "utf8")).not.toContain(bot.token);
    await waitFor(async () => (await home.call("GET", "/api/matrix")).json.serverName === "example.org");
    expect(readFileSync(home.home.log, "utf8")).not.toContain(bot.token);
    const before = [readFileSync(home.home.config, "utf8"), readFileSync(home.home.secrets, "utf8")];
    const wrong = ["--user", "setup-bot", "--password-from-env", "WRONG"];
    const refused = await setup("--homeserver", server.url, ...owner, ...wrong);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("refused the login") });
    const dead = await setup("--homeserver", "http://127.0.0.1:1", ...owner, ...wrong);
    expect(dead).toMatchObject({ code: 6, stderr: expect.stringContaining("http://127.0.0.1:1") });
    const after = [readFileSync(home.home.config, "utf8"), readFileSync(home.home.secrets, "utf8")];
    expect(after).toEqual(before);
    expect((await home.call("GET", "/api/matrix")).json.url).toBe(server.url);
    expect((await setup("--embedded")).stdout).toContain("(embedded)");
    expect(readFileSync(home.home.secrets, "utf8")).not.toContain(bot.token);
  });
});
