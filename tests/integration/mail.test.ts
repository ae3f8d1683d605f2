import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { fencesIn, type MatrixPerson, signIn, useMailStage } from "../support/mail-stage.ts";
import { launcher } from "../support/person-elsewhere.ts";
import { openOutside, type Outside } from "../support/outside.ts";
import { waitFor, waitUntilGone } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
let rookery: Rookery;
let outside: Outside;
let ada: MatrixPerson;
const stage = useMailStage(() => rookery);
let projects = 0;
const nextProject = (): string => `shop${++projects}`;

beforeAll(async () => {
  rookery = rookeries.open({ ROOKERY_MATRIX_OWNER: "olga", ROOKERY_MATRIX_HOPS: "3" });
  await spawnDaemon(rookery);
  outside = await openOutside();
  const made = await outside.call(rookery, "POST", "/api/matrix/people", { name: "ada" });
  expect(made.status, made.text).toBe(201);
  ada = await signIn(rookery, "ada", made.json.password);
});
afterAll(() => outside.close());

const roomNamed = (name: string): Promise<{ id: string }> =>
  waitFor(async () =>
    (await rookery.call("GET", "/api/rooms")).json.rooms.find((room: any) => room.name === name),
  );

describe("a message from an agent", () => {
  test("reaches another, fenced, with its sender, once, and the sender sees that it was read", async () => {
    const project = nextProject();
    const [rook, jay] = [await stage.open(project), await stage.open(project)];
    const sent = await rook.send(jay.agent, "The API is ready.");
    expect(sent.json).toMatchObject({ from: rook.agent, to: jay.agent, state: "sent", isAgent: true });
    const text = await stage.waitForText(jay, (received) => received.includes("The API is ready."));
    expect(text).toContain(`kind="message" from="${rook.agent}" via="a direct message"`);
    jay.write(text);
    await waitFor(() => rookery.query("SELECT 1 FROM deliveries WHERE state = 'confirmed'").length === 1);
    for (const event of ["PostToolUse", "UserPromptSubmit"])
      expect(fencesIn(await jay.say(event))).toEqual([]);
    expect(fencesIn(await rook.say("PostToolUse"))).toEqual([]);
  });

  test("reaches everyone in the project but the sender, or only the mentioned agent", async () => {
    const project = nextProject();
    const [rook, jay, daw] = [
      await stage.open(project),
      await stage.open(project),
      await stage.open(project),
    ];
    const other = await stage.open(nextProject());
    await rook.send("project", "To all of you.");
    for (const session of [jay, daw])
      await stage.waitForText(session, (received) => received.includes("To all of you."));
    await rook.send("project", `Only @${daw.agent}, please.`);
    expect(await stage.waitForText(daw, (received) => received.includes("please."))).toContain(
      `via="room ${project}"`,
    );
    for (const session of [rook, jay, other])
      expect(await session.say("PostToolUse")).not.toContain("please.");
  });

  test("does not delay others if it cannot be delivered, and its sender is informed", async () => {
    const project = nextProject();
    const [rook, jay] = [await stage.open(project), await stage.open(project)];
    const lost = await rook.send("@nobody:elsewhere.example", "Hello?");
    expect(lost.json).toMatchObject({ state: "failed", error: expect.stringContaining("elsewhere") });
    expect((await rook.send(`${jay.agent}x`, "Hello?")).json).toMatchObject({
      code: "room_not_found",
      message: expect.stringContaining(`Did you mean ${jay.agent}?`),
    });
    expect((await rook.send(rook.agent, "Hello?")).json.code).toBe("invalid_payload");
    expect((await rook.send(jay.agent, "You are there.")).json.state).toBe("sent");
    await stage.waitForText(jay, (received) => received.includes("You are there."));
    const told = await stage.waitForText(rook, (received) => fencesIn(received).length === 1);
    expect(told).toContain("Your message to @nobody:elsewhere.example was not delivered");
  });

  test("waits for an agent that is gone, and is delivered once when its session is resumed", async () => {
    const project = nextProject();
    const [rook, jay] = [await stage.open(project), await stage.open(project)];
    await jay.claude.kill9();
    await rook.send(jay.agent, "While you were away.");
    const again = await stage.open(project, { id: jay.id, source: "resume" });
    expect(again.agent).toBe(jay.agent);
    const received =
      again.started + (await stage.waitForText(again, (text) => (again.started + text).includes("away.")));
    again.write(received);
    await waitFor(
      () =>
        rookery.query("SELECT 1 FROM deliveries WHERE state = 'confirmed' AND body = 'While you were away.'")
          .length === 1,
    );
    expect(fencesIn(received + (await again.say("PostToolUse")))).toHaveLength(1);
  });

  test("is still there after /clear", async () => {
    const project = nextProject();
    const [rook, jay] = [await stage.open(project), await stage.open(project)];
    await rook.send(jay.agent, "Before the clear.");
    await waitFor(
      () => rookery.query("SELECT 1 FROM deliveries WHERE body = 'Before the clear.'").length === 1,
    );
    await jay.say("SessionEnd", { reason: "clear" });
    const cleared = await stage.open(project, { claude: jay.claude, source: "clear" });
    expect(cleared.agent).toBe(jay.agent);
    expect(cleared.started).toContain("Before the clear.");
  });

  test("is neither sent to nor from a project that is off", async () => {
    const project = nextProject();
    const [rook, jay] = [await stage.open(project), await stage.open(nextProject())];
    await outside.call(rookery, "PATCH", `/api/projects/${project}`, { mode: "off" });
    expect((await rook.send(jay.agent, "Hello")).json).toMatchObject({ code: "matrix_off" });
  });
});

describe("loops end", () => {
  test("after a number of messages without a person; a person's message resets the count", async () => {
    const project = nextProject();
    const sessions = [await stage.open(project), await stage.open(project)];
    let refused: any;
    let round = 0;
    for (; round < 10 && !refused; round++) {
      const [from, to] = [sessions[round % 2], sessions[(round + 1) % 2]];
      if (!from || !to) throw new Error("two sessions are needed");
      const sent = await from.send(to.agent, `Thanks ${round}!`);
      if (sent.status === 409) refused = sent.json;
      else await stage.waitForText(to, (text) => text.includes(`Thanks ${round}!`));
    }
    expect(refused).toMatchObject({
      code: "too_many_messages",
      message: expect.stringContaining("the limit is 3"),
    });
    expect(round).toBe(5);
    const [rook, jay] = sessions as [(typeof sessions)[0], (typeof sessions)[0]];
    await rook.say("UserPromptSubmit", { prompt: "go on, both of you" });
    expect((await rook.send(jay.agent, "My person says go on.")).status).toBe(201);
  });

  test("at ten messages to one recipient in a minute", async () => {
    const project = nextProject();
    const [rook, jay] = [await stage.open(project), await stage.open(project)];
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) statuses.push((await rook.send(jay.agent, `Line ${n}`)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 409]);
    const text = await stage.waitForText(jay, (received) => received.includes("Line 9"));
    expect(text.match(/Line \d/g)).toEqual(Array.from({ length: 10 }, (_, n) => `Line ${n}`));
  });
});

test("a message to an agent without a session says so", async () => {
  const project = nextProject();
  const jay = await stage.open(project);
  const gone = await stage.open(project);
  await gone.say("SessionEnd", { reason: "other" });
  const { json: sent } = await jay.send(gone.agent, "Left for later.");
  expect(sent).toMatchObject({ isAbsent: true });
  const ran = await outside.run([...launcher, "send", "--to", gone.agent, "Call me back."], rookery.env);
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("has no running session") });
  expect((await jay.send(`#${project}`, "To all.")).json).toMatchObject({
    isAbsent: false,
  });
});

describe("the speaker", () => {
  test("is never a person if it cannot be verified", async () => {
    const { agent } = await stage.open(nextProject());
    for (const [method, path, body] of [
      ["POST", "/api/messages", { to: agent, text: "I am your person." }],
      ["POST", "/api/matrix/people", { name: "eve" }],
      ["PATCH", "/api/rooms/x", { keepDays: 1 }],
      ["POST", "/api/tasks", { title: "x", project: "shop1" }],
    ] as const)
      expect(await rookery.call(method, path, body)).toMatchObject({
        status: 403,
        json: { code: "may_not_decide" },
      });
  });

  test("is the agent, for everything that runs under its claude; it cannot invite people", async () => {
    const project = nextProject();
    const jay = await stage.open(project);
    // This process acts as claude: the processes that it starts belong to the session.
    const me = await stage.open(project, { claude: { pid: process.pid, kill9: async () => {} } });
    const ran = await rookery.cli("send", "--to", jay.agent, "From the Bash tool.", "--json");
    expect(JSON.parse(ran.stdout)).toMatchObject({ from: me.agent, isAgent: true });
    expect((await rookery.cli("matrix", "invite", "eve")).code).toBe(3);
    await me.say("SessionEnd", { reason: "other" });
  });

  test("is the person, in their own terminal; their inbox has the agents' answers", async () => {
    const jay = await stage.open(nextProject());
    const command = [`${rookery.plugin}/bin/rookery`, "send", "--to", jay.agent, "Please hurry."];
    expect(await outside.run(command, rookery.env)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`from olga to ${jay.agent}`),
    });
    expect(await stage.waitForText(jay, (text) => text.includes("Please hurry."))).toContain('from="olga"');
    await jay.send("user", "Done by noon.");
    const { stdout } = await rookery.cli("inbox");
    expect(stdout).toContain(`${jay.agent}: Done by noon.`);
    expect(stdout).not.toContain("Please hurry.");
  });
});

describe("a person in a Matrix client", () => {
  test("reads and writes in the project's room; a mentioned agent answers there", async () => {
    const project = nextProject();
    const [rook, jay] = [await stage.open(project), await stage.open(project)];
    const { id } = await roomNamed(project);
    await waitFor(async () => (await ada.call("POST", `/join/${encodeURIComponent(id)}`, {})).room_id === id);
    const { json: bob } = await outside.call(rookery, "POST", "/api/matrix/people", { name: "bob" });
    const { rooms: known } = await (await signIn(rookery, "bob", bob.password)).call(
      "GET",
      "/sync?timeout=0",
    );
    expect(Object.keys(known.invite)).toContain(id);
    await rook.send("project", "Anybody there?");
    await waitFor(async () => (await ada.read(id)).some(({ content }) => content.body === "Anybody there?"));
    await ada.write(id, {
      msgtype: "m.text",
      body: `${jay.agent}: I am.`,
      "m.mentions": { user_ids: [`@${jay.agent}:rookery.local`] },
    });
    const received = await stage.waitForText(jay, (text) => text.includes("I am."));
    expect(received).toContain('from="@ada:rookery.local"');
    expect(await rook.say("PostToolUse")).not.toContain("I am.");
    expect((await jay.send("@ada:rookery.local", "Good.")).json.state).toBe("sent");
    const { rooms } = await ada.call("GET", "/sync?timeout=0");
    expect(Object.keys(rooms.invite)).toHaveLength(1);
  });

  test("opens a direct room with an agent; an encrypted one is refused with a reason", async () => {
    const jay = await stage.open(nextProject());
    const invite = [`@${jay.agent}:rookery.local`];
    const plain = await ada.call("POST", "/createRoom", {
      invite,
      is_direct: true,
      preset: "trusted_private_chat",
    });
    await ada.write(plain.room_id, { msgtype: "m.text", body: "Just you and me." });
    expect(await stage.waitForText(jay, (text) => text.includes("Just you and me."))).toContain(
      'via="a direct message"',
    );
    await jay.send("@ada:rookery.local", "Just us.");
    await waitFor(async () =>
      (await ada.read(plain.room_id)).some(({ content }) => content.body === "Just us."),
    );
    const encryption = {
      type: "m.room.encryption",
      state_key: "",
      content: { algorithm: "m.megolm.v1.aes-sha2" },
    };
    const secret = await ada.call("POST", "/createRoom", {
      invite,
      is_direct: true,
      initial_state: [encryption],
    });
    await waitFor(async () =>
      (await ada.read(secret.room_id)).some(({ content }) => content.body?.includes("cannot read encrypted")),
    );
  });

  test("is paired by sending the code from the terminal to the asking account", async () => {
    const { json: offer } = await outside.call(rookery, "POST", "/api/pairings", { channel: "matrix" });
    const room = await ada.call("POST", "/createRoom", {
      invite: ["@rookery:rookery.local"],
      is_direct: true,
    });
    await ada.write(room.room_id, { msgtype: "m.text", body: offer.code.toLowerCase() });
    await waitFor(async () =>
      (await ada.read(room.room_id)).some(({ content }) => content.body?.startsWith("You are paired")),
    );
    const { people } = (await rookery.call("GET", "/api/pairings")).json;
    expect(people).toMatchObject([{ channel: "matrix", sender: "@ada:rookery.local" }]);
    // An agent is not paired, even if it knows a code, and is not told why.
    const jay = await stage.open(nextProject());
    const { json: second } = await outside.call(rookery, "POST", "/api/pairings", { channel: "matrix" });
    await jay.send("@rookery:rookery.local", second.code);
    const { channels } = (await rookery.call("GET", "/api/status")).json;
    expect(channels).toContainEqual(expect.objectContaining({ name: "matrix", state: "ready", people: 1 }));
  });

  test("sees which agents work and on what, without an update per tool call", async () => {
    const project = nextProject();
    const rook = await stage.open(project);
    const { id } = await roomNamed(project);
    await waitFor(async () => (await ada.call("POST", `/join/${encodeURIComponent(id)}`, {})).room_id === id);
    const user = `@${rook.agent}:rookery.local`;
    const presence = () => ada.call("GET", `/presence/${encodeURIComponent(user)}/status`);
    await rook.say("UserPromptSubmit", { prompt: "rename the endpoint" });
    await waitFor(async () => (await presence()).status_msg === "at work: rename the endpoint");
    expect((await presence()).presence).toBe("online");
    for (let n = 0; n < 20; n++) await rook.say("PostToolUse");
    await rook.say("Notification", { notification_type: "permission_prompt" });
    await waitFor(async () => (await presence()).status_msg === "waiting for a human");
    await rook.say("Stop");
    await waitFor(async () => (await presence()).presence === "unavailable");
    const told = (await ada.read(id)).filter(({ type }) => type === "com.claudematrix.agent");
    expect(told.length).toBeLessThanOrEqual(2);
    expect(told[0]?.content).toMatchObject({ v: 1, project, session_id: rook.id, host: expect.any(String) });
    const { agents } = (await rookery.call("GET", "/api/agents")).json;
    expect(agents.find(({ name }: any) => name === rook.agent)).toMatchObject({
      status: "idle",
      focus: "rename the endpoint",
    });
  });
});

test("the daemon stops without waiting for open connections", async () => {
  const pid = rookery.pid();
  process.kill(pid, "SIGTERM");
  await waitUntilGone([pid]);
});
