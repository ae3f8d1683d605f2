import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedRegistration, serveRegistration } from "../support/application-service.ts";
import { loadBotSdk } from "../support/bot-sdk.ts";
import { spawnDaemon } from "../support/daemon-process.ts";
import { openTestServer, type Person, type TestServer } from "../support/homeserver.ts";
import { type StagedSession, useMailStage } from "../support/mail-stage.ts";
import { launcher } from "../support/person-elsewhere.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
const outside = useOutside();
const remoteOf = (project: string): string => `git@git.example.org:acme/${project}.git`;
let server: TestServer;
let service: ServedRegistration;
let registration: string;
let ada: Person;
let machines: Rookery[];
const stages = [0, 1].map((at) => useMailStage(() => machines[at] as Rookery, remoteOf));
const quote = encodeURIComponent;
const readField = (name: string): string =>
  new RegExp(`^ *(?:- )?${name}: "?([^"\n]+)"?$`, "m").exec(registration)?.[1] ?? "";

/** A homeserver with the printed registration, and two machines that were set up with its token. */
beforeAll(async () => {
  server = await openTestServer({ serverName: "example.org" });
  ada = await server.register("ada");
  machines = ["here", "there"].map((machine) => rookeries.open({ ROOKERY_MATRIX_MACHINE: machine }));
  const [here] = machines as [Rookery];
  registration = (await outside.run([...launcher, "setup", "matrix", "--appservice"], here.env)).stdout;
  service = await serveRegistration(server, {
    asToken: readField("as_token"),
    senderLocalpart: readField("sender_localpart"),
    namespace: new RegExp(`^${readField("regex")}$`),
  });
  for (const machine of machines) {
    await spawnDaemon(machine);
    const { code, stderr } = await setUp(machine, readField("as_token"));
    expect([code, stderr]).toEqual([0, ""]);
  }
}, 120_000);
afterAll(async () => {
  await service?.close();
  await server?.close();
});

function setUp(machine: Rookery, token: string): ReturnType<typeof outside.run> {
  const flags = ["--homeserver", service.url, "--owner", ada.userId, "--token-from-env", "TOKEN"];
  const command = [...launcher, "setup", "matrix", "--appservice", ...flags];
  return outside.run(command, { ...machine.env, TOKEN: token });
}

function openOn(at: number): Promise<StagedSession> {
  return (stages[at] as (typeof stages)[0]).open("shop");
}

function hears(at: number, session: StagedSession, text: string): Promise<string> {
  return (stages[at] as (typeof stages)[0]).waitForText(session, (received) => received.includes(text));
}

/** The agents that a text was queued for, of both machines. */
const recipients = (text: string): string[] =>
  machines.flatMap((machine, at) =>
    machine
      .query(
        "SELECT a.name FROM deliveries d JOIN agents a ON a.id = d.agent_id WHERE d.body LIKE ? ORDER BY a.name",
        `%${text}%`,
      )
      .map(({ name }) => `${name}@${["here", "there"][at]}`),
  );

const idOf = (session: StagedSession, at: number): string => {
  const [{ value }] = (machines[at] as Rookery).query(
    "SELECT value FROM meta WHERE key = 'matrix-device'",
  ) as any;
  return `@rk_${value.slice("ROOKERY".length).toLowerCase()}_${session.agent}:example.org`;
};

const roomOf = (): Promise<string> =>
  waitFor(
    async () =>
      (await ada.call("GET", `directory/room/${quote("#rookery-shop-f6e294ac:example.org")}`)).json.room_id,
  );
const messagesIn = async (room: string): Promise<any[]> =>
  (await ada.call("GET", `rooms/${quote(room)}/messages?dir=b&limit=100`)).json.chunk.filter(
    ({ type }: any) => type === "m.room.message",
  );
let acts = 0;
const write = (room: string, body: string, mentions: string[] = []) =>
  ada.call("PUT", `rooms/${quote(room)}/send/m.room.message/act${++acts}`, {
    msgtype: "m.text",
    body,
    "m.mentions": mentions.length > 0 ? { user_ids: mentions } : {},
  });

describe("with an application service on another homeserver", () => {
  test("an independent client library creates a user and speaks as it at the same address", async () => {
    const sdk = loadBotSdk();
    const bridge = new sdk.Appservice({
      port: 0,
      bindAddress: "127.0.0.1",
      homeserverName: "example.org",
      homeserverUrl: service.url,
      registration: {
        as_token: readField("as_token"),
        hs_token: readField("hs_token"),
        sender_localpart: readField("sender_localpart"),
        namespaces: { users: [{ exclusive: true, regex: readField("regex") }], rooms: [], aliases: [] },
      },
    });
    const intent = bridge.getIntentForUserId("@rk_sdk:example.org");
    await intent.ensureRegistered();
    expect(await intent.underlyingClient.getUserId()).toBe("@rk_sdk:example.org");
    const room = await intent.underlyingClient.createRoom({ invite: [ada.userId] });
    expect(await intent.sendText(room, "Hello.")).toMatch(/^\$/);
    await expect(bridge.getIntentForUserId("@eve:example.org").ensureRegistered()).rejects.toThrow(
      "M_EXCLUSIVE",
    );
  });

  test("a token of no service is refused, and nothing changes", async () => {
    const [here] = machines as [Rookery];
    expect(await setUp(here, ada.token)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("has no application service with this token"),
    });
    expect((await here.call("GET", "/api/matrix")).json.url).toBe(service.url);
  });

  test("each agent has an account of its own, in the room of its project and in direct rooms", async () => {
    const [rook, jay] = [await openOn(0), await openOn(0)];
    const room = await roomOf();
    expect((await ada.call("POST", `join/${quote(room)}`, {})).status).toBe(200);
    const members = async (): Promise<string[]> =>
      Object.keys((await ada.call("GET", `rooms/${quote(room)}/joined_members`)).json.joined);
    for (const session of [rook, jay])
      await waitFor(async () => (await members()).includes(idOf(session, 0)), {
        describe: "the agent to join",
      });
    expect(service.users()).toEqual(expect.arrayContaining([idOf(rook, 0), idOf(jay, 0)]));
    const { json } = await ada.call("GET", `profile/${quote(idOf(rook, 0))}`);
    expect(json.displayname).toBe(`${rook.agent}@here`);

    await rook.say("UserPromptSubmit", { prompt: "Our secret plan for the shed" });
    const presence = () => ada.call("GET", `presence/${quote(idOf(rook, 0))}/status`);
    await waitFor(async () => (await presence()).json.status_msg === "at work", { describe: "the presence" });

    await rook.send("project", "The shed is painted.");
    await hears(0, jay, "The shed is painted.");
    const [said] = (await messagesIn(room)).filter(({ content }) => content.body.includes("shed"));
    expect(said).toMatchObject({ sender: idOf(rook, 0), content: { body: "The shed is painted." } });
    await rook.send(jay.agent, "Between us: the key is under the mat.");
    await hears(0, jay, "under the mat");
    expect((await messagesIn(room)).map(({ content }) => content.body).join()).not.toContain("under the mat");
  });

  test("a person writes to an agent by mention or in a direct room, and to all in the terminal", async () => {
    const [rook, jay] = [await openOn(0), await openOn(0)];
    const room = await roomOf();
    await rook.send("project", "Present.");
    await jay.send("project", "Present, too.");
    await write(room, "Please look at the gate.", [idOf(jay, 0)]);
    expect(await hears(0, jay, "look at the gate")).toContain('from="ada"');
    const direct = await ada.call("POST", "createRoom", { invite: [idOf(rook, 0)], is_direct: true });
    const { room_id } = direct.json;
    await waitFor(
      async () =>
        Object.keys((await ada.call("GET", `rooms/${quote(room_id)}/joined_members`)).json.joined).length ===
        2,
      { describe: "the agent to accept" },
    );
    await write(room_id, "Only for you: the lock sticks.");
    await hears(0, rook, "the lock sticks");
    expect(recipients("look at the gate")).toEqual([`${jay.agent}@here`]);
    expect(recipients("the lock sticks")).toEqual([`${rook.agent}@here`]);
    const { env } = machines[0] as Rookery;
    const sent = await outside.run([...launcher, "send", "--to", "#shop", "Lunch at noon."], env);
    expect(sent.code).toBe(0);
    for (const session of [rook, jay]) await hears(0, session, "Lunch at noon.");
    const [said] = (await messagesIn(room)).filter(({ content }) => content.body.includes("Lunch"));
    expect(said.content.body).toBe("ada: Lunch at noon.");
  });

  test("agents of two machines reach each other by name, and no message reaches another agent", async () => {
    const near = [await openOn(0), await openOn(0)] as const;
    const far = [await openOn(1), await openOn(1)] as const;
    const room = await roomOf();
    // The room is by invitation: the owner invites the other machine, which brings its agents.
    const other = idOf(far[0], 1).replace(`_${far[0].agent}:`, ":");
    await ada.call("POST", `rooms/${quote(room)}/invite`, { user_id: other });
    await far[0].send("project", "Hello from there.");
    await hears(0, near[0], "Hello from there.");
    await far[1].send("project", "And from me.");
    await hears(0, near[1], "And from me.");
    for (const [n, session] of near.entries()) {
      const peer = far[1 - n] as StagedSession;
      const text = `Number ${n} is only for you`;
      await session.send(`${peer.agent}@there`, text);
      expect(await hears(1, peer, text)).toContain(`from="${session.agent}@here (${idOf(session, 0)})"`);
      await peer.send(`${session.agent}@here`, `Answer to ${n}`);
      expect(await hears(0, session, `Answer to ${n}`)).toContain(
        `from="${peer.agent}@there (${idOf(peer, 1)})"`,
      );
      expect(recipients(text)).toEqual([`${peer.agent}@there`]);
      expect(recipients(`Answer to ${n}`)).toEqual([`${session.agent}@here`]);
    }
    await far[0].send(far[1].agent, "Only on this machine.");
    await hears(1, far[1], "Only on this machine.");
    expect(recipients("Only on this machine.")).toEqual([`${far[1].agent}@there`]);
  });
});
