import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type MatrixPerson, signIn, type StagedSession, useMailStage } from "../support/mail-stage.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";
import { useOutside } from "../support/use-outside.ts";
import { useRookeries } from "../support/use-rookery.ts";

const rookeries = useRookeries(afterAll);
const outside = useOutside();
let rookery: Rookery;
const stage = useMailStage(() => rookery);
let rook: StagedSession;
let jay: StagedSession;
let room = "";
const get = async (path: string): Promise<any> => (await rookery.call("GET", path)).json;
const find = async (name: string): Promise<any> =>
  (await get("/api/rooms")).rooms.find((one: any) => one.name === name || one.partner === name);

beforeAll(async () => {
  rookery = rookeries.open({ ROOKERY_MATRIX_OWNER: "olga", ROOKERY_MATRIX_PER_PAIR_AND_MINUTE: "60" });
  await spawnDaemon(rookery);
  rook = await stage.open("aviary");
  jay = await stage.open("aviary");
  room = (await waitFor(() => find("aviary"))).id;
});

test("a room shows its last message and the unread count, and only a person marks it read", async () => {
  expect(await find("aviary")).toMatchObject({ kind: "project", unread: 0, last: null, isYours: true });
  for (const text of ["One, @olga.", "Two, @olga."]) await rook.send("project", text);
  await rookery.call("POST", "/api/leases", { globs: ["src/**"], hostPid: rook.claude.pid });
  await waitFor(async () => (await find("aviary")).last?.text.includes("src/**"));
  // Messages about leases are only for reference.
  expect(await find("aviary")).toMatchObject({ unread: 2, partner: null });

  const path = `/api/rooms/${encodeURIComponent(room)}/read`;
  expect((await rookery.call("POST", path)).json.code).toBe("may_not_decide");
  const stream = await openEventStream(rookery);
  expect((await outside.call(rookery, "POST", path)).json).toMatchObject({ id: room, unread: 0 });
  await stream.next("room.read", ({ roomId }) => roomId === room);
  await outside.call(rookery, "POST", "/api/messages", { to: room, text: "Read." });
  expect((await find("aviary")).unread).toBe(0);
  await jay.send("project", "Three, @Olga.");
  await waitFor(async () => (await find("aviary")).unread === 1);
  stream.close();

  await rookery.kill9();
  await spawnDaemon(rookery);
  expect((await find("aviary")).unread).toBe(1);
});

test("in a shared room only messages for the person are unread; agents among themselves are chatter", async () => {
  const counts = async () => {
    const { unread, chatter } = await find("aviary");
    return { unread, chatter };
  };
  const markRead = () => outside.call(rookery, "POST", `/api/rooms/${encodeURIComponent(room)}/read`);
  await markRead();
  await rook.send("project", "I take the roof.");
  await jay.send("project", `Fine, @${rook.agent}.`);
  await waitFor(async () => (await counts()).chatter === 2);
  expect(await counts()).toEqual({ unread: 0, chatter: 2 });
  const asked = await outside.call(rookery, "POST", "/api/messages", { to: room, text: "Who has the door?" });
  await rookery.call("POST", "/api/messages", {
    to: "project",
    text: "I do.",
    replyTo: asked.json.id,
    hostPid: rook.claude.pid,
  });
  await waitFor(async () => (await counts()).unread === 1);
  await rook.send("user", "A word in private.");
  await waitFor(async () => (await find(rook.agent))?.unread === 1);
  expect(await find(rook.agent)).toMatchObject({ unread: 1, chatter: 0 });
  await markRead();
  expect(await counts()).toEqual({ unread: 0, chatter: 0 });
});

test("a muted room stays muted across restarts, and only a person mutes it", async () => {
  const path = `/api/rooms/${encodeURIComponent(room)}`;
  expect((await rookery.call("PATCH", path, { muted: true })).json.code).toBe("may_not_decide");
  const stream = await openEventStream(rookery);
  expect((await outside.call(rookery, "PATCH", path, { muted: true })).json.isMuted).toBe(true);
  await stream.next("room.changed", ({ roomId }) => roomId === room);
  stream.close();
  await outside.call(rookery, "PATCH", path, { keepDays: 30 });
  await rookery.kill9();
  await spawnDaemon(rookery);
  expect(await find("aviary")).toMatchObject({ isMuted: true, keepDays: 30 });
  const listed = await rookery.cli("rooms");
  expect(listed.stdout).toMatch(/project .* muted +aviary/);
  const cleared = await outside.call(rookery, "PATCH", path, { muted: false, keepDays: null });
  expect(cleared.json).toMatchObject({ isMuted: false, keepDays: null });
});

describe("read state is the same in Matrix clients and in the viewer", () => {
  let olga: MatrixPerson;
  const here = (): string => `/rooms/${encodeURIComponent(room)}`;
  const unread = async (): Promise<number> => {
    const { unread: own, chatter } = await find("aviary");
    return own + chatter;
  };
  const say = async (text: string): Promise<string> => {
    await rook.send("project", text);
    return waitFor(
      async () => (await olga.read(room)).find(({ content }) => content.body === text)?.event_id,
    );
  };
  const receipt = (type: string, event: string, body: object = {}) =>
    olga.call("POST", `${here()}/receipt/${type}/${encodeURIComponent(event)}`, body);
  const synced = async (): Promise<any> => (await olga.call("GET", "/sync")).rooms.join[room];
  beforeAll(async () => {
    const { json } = await outside.call(rookery, "POST", "/api/matrix/people", { name: "olga" });
    olga = await signIn(rookery, "olga", json.password);
  });

  test.each<[string, (event: string) => Promise<unknown>]>([
    ["a receipt", (event) => receipt("m.read", event)],
    ["a receipt that others do not see", (event) => receipt("m.read.private", event)],
    ["a receipt of the main thread", (event) => receipt("m.read", event, { thread_id: "main" })],
    ["the markers of a room", (event) => olga.call("POST", `${here()}/read_markers`, { "m.read": event })],
    [
      "a receipt of what is no message",
      async () => {
        const path = `${here()}/state/org.example.odd/${randomUUID()}`;
        await receipt("m.read", (await olga.call("PUT", path, {})).event_id);
      },
    ],
  ])("by %s", async (_name, read) => {
    const stream = await openEventStream(rookery);
    const event = await say(`Unread ${randomUUID()}.`);
    await waitFor(async () => (await unread()) > 0);
    await read(event);
    await stream.next("room.read", ({ roomId }) => roomId === room);
    expect(await unread()).toBe(0);
    stream.close();
  });

  test("up to the receipt: later messages, other threads and other people's receipts stay unread", async () => {
    const first = await say("To be read.");
    const second = await say("Not yet.");
    await receipt("m.read", first);
    await waitFor(async () => (await unread()) === 1);
    await receipt("m.read", second, { thread_id: first });
    // An agent's read receipt follows its transcript.
    jay.write(await stage.waitForText(jay, (text) => text.includes("Not yet.")));
    await jay.say("PostToolUse");
    await waitFor(async () => JSON.stringify((await synced()).ephemeral).includes(`@${jay.agent}:`));
    await say("And this.");
    await waitFor(async () => (await unread()) === 2);
  });

  test("reading in the viewer updates the account: its clients show no unread count", async () => {
    const event = await say("For all clients.");
    expect((await synced()).unread_notifications.notification_count).toBeGreaterThan(0);
    await outside.call(rookery, "POST", `/api${here()}/read`);
    const { unread_notifications, account_data } = await synced();
    expect(unread_notifications.notification_count).toBe(0);
    expect(account_data.events).toContainEqual({ type: "m.fully_read", content: { event_id: event } });
  });
});

test("the members of a room are listed; in a direct room, both", async () => {
  const members = async (name: string) =>
    (await get(`/api/rooms/${encodeURIComponent(name)}/members`)).members;
  await waitFor(async () => (await members(room)).length === 3);
  expect(await members(room)).toEqual(
    expect.arrayContaining([
      { name: rook.agent, isAgent: true, isYou: false },
      { name: jay.agent, isAgent: true, isYou: false },
      { name: "olga", isAgent: false, isYou: true },
    ]),
  );
  await jay.send("user", "Hello.");
  expect(await members(jay.agent)).toEqual(
    expect.arrayContaining([
      { name: jay.agent, isAgent: true, isYou: false },
      { name: "olga", isAgent: false, isYou: true },
    ]),
  );
  expect(await find(jay.agent)).toMatchObject({ kind: "direct", isYours: true, unread: 1 });
  expect((await rookery.call("GET", "/api/rooms/nowhere/members")).json.code).toBe("room_not_found");
});

test("a conversation of two agents has no unread count", async () => {
  await rook.send(jay.agent, "Between us.");
  const between = await waitFor(async () =>
    (await get("/api/rooms")).rooms.find((one: any) => one.kind === "direct" && !one.isYours),
  );
  expect(between).toMatchObject({
    unread: 0,
    partner: null,
    last: { from: rook.agent, text: "Between us." },
  });
});

test("a message shows its delivery state for each recipient", async () => {
  const sent = await outside.call(rookery, "POST", "/api/messages", { to: room, text: "To both of you." });
  expect(sent.json).toMatchObject({ isMine: true, isAgent: false, from: "olga" });
  const states = async () => {
    const { messages } = await get(`/api/messages?room=${encodeURIComponent(room)}&limit=1`);
    return Object.fromEntries(messages[0].deliveries.map(({ agent, state }: any) => [agent, state]));
  };
  await waitFor(async () => Object.keys(await states()).length === 2);
  expect(await states()).toEqual({ [rook.agent]: "queued", [jay.agent]: "queued" });
  const received = await stage.waitForText(rook, (text) => text.includes("To both of you."));
  expect(await states()).toEqual({ [rook.agent]: "injected", [jay.agent]: "queued" });
  rook.write(received);
  await rook.say("PostToolUse");
  await waitFor(async () => (await states())[rook.agent] === "confirmed");
});

describe("a request of the viewer can be repeated when its response was lost:", () => {
  const countMessages = (): number => rookery.query("SELECT count(*) AS n FROM messages")[0].n;
  const id = () => randomUUID();
  const give = async (title: string): Promise<any> =>
    (await outside.call(rookery, "POST", "/api/tasks", { title, project: "aviary" })).json;
  const note = async (): Promise<string> =>
    (await rookery.call("POST", "/api/notes", { project: "aviary", text: `Note ${id()}.` })).json.id;

  type Write = [string, string, object?];
  const writes: [string, () => Promise<Write> | Write, number][] = [
    ["a message", () => ["POST", "/api/messages", { id: id(), to: room, text: "Once." }], 1],
    ["a task", () => ["POST", "/api/tasks", { id: id(), title: "Once", project: "aviary" }], 1],
    [
      "a change of a task",
      async () => {
        const { id: task, rev } = await give("Once more");
        return ["PATCH", `/api/tasks/${task}`, { status: "completed", result: "Done.", rev }];
      },
      1,
    ],
    [
      "a task assigned to an agent",
      async () => {
        const { id: task, rev } = await give("For rook");
        return ["PATCH", `/api/tasks/${task}`, { owner: rook.agent, rev }];
      },
      1,
    ],
    [
      "a lease's end",
      async () => {
        const lease = { globs: [`${id()}/**`], hostPid: rook.claude.pid };
        const { json } = await rookery.call("POST", "/api/leases", lease);
        return ["DELETE", `/api/leases/${json.id}`];
      },
      1,
    ],
    ["a room", () => ["POST", "/api/rooms", { name: "once", members: [rook.agent] }], 0],
    ["that a room was read", () => ["POST", `/api/rooms/${encodeURIComponent(room)}/read`], 0],
    ["an edited note", async () => ["PATCH", `/api/notes/${await note()}`, { title: "Once" }], 0],
    [
      "a note that another took the place of",
      async () => ["PATCH", `/api/notes/${await note()}`, { supersededBy: await note() }],
      0,
    ],
    ["a setting", () => ["PATCH", "/api/config", { "context.tokens": 900 }], 0],
  ];

  test.each(writes)("%s gets the same response and is stored once", async (_name, prepare, messages) => {
    const write = await prepare();
    const before = countMessages();
    const first = await outside.call(rookery, ...write);
    expect(first.status, first.text).toBeLessThan(300);
    const again = await outside.call(rookery, ...write);
    const { state: _state, deliveries: _deliveries, ...fixed } = first.json;
    expect(again.status).toBe(first.status);
    expect(again.json).toMatchObject(fixed);
    expect(countMessages() - before).toBe(messages);
  });

  test("a deleted note is gone, and an answered question keeps its answer", async () => {
    const path = `/api/notes/${await note()}`;
    expect((await outside.call(rookery, "DELETE", path)).status).toBe(200);
    expect((await outside.call(rookery, "DELETE", path)).json.code).toBe("observation_not_found");
    const ask = { question: "Once?", options: ["yes", "no"], cwd: rook.cwd, wait: false };
    const { question } = (await rookery.call("POST", "/api/questions", ask)).json;
    const answer = ["POST", `/api/questions/${question.id}/answer`, { answers: [["yes"]] }] as const;
    expect((await outside.call(rookery, ...answer)).json.outcome).toContain("yes");
    expect((await outside.call(rookery, ...answer)).json).toMatchObject({
      code: "question_settled",
      message: expect.stringContaining("yes"),
    });
  });

  const fromPerson = (body: object) => outside.call(rookery, "POST", "/api/messages", body);
  const fromRook = (body: object) =>
    rookery.call("POST", "/api/messages", { ...body, hostPid: rook.claude.pid });
  test.each<[string, typeof fromPerson, () => object]>([
    ["another text", fromPerson, () => ({ text: "Two." })],
    ["another address", fromPerson, () => ({ to: jay.agent })],
    ["another speaker", fromRook, () => ({})],
  ])("but an id belongs to one message: not with %s", async (_name, send, other) => {
    const message = { id: id(), to: room, text: "One." };
    expect((await fromPerson(message)).status).toBe(201);
    const refused = await send({ ...message, ...other() });
    expect([refused.status, refused.json.code]).toEqual([409, "id_taken"]);
  });

  test("an id gives no access to another agent's task, and a malformed id is rejected", async () => {
    const task = { id: id(), title: "Mine", project: "aviary" };
    await outside.call(rookery, "POST", "/api/tasks", task);
    const theirs = await rookery.call("POST", "/api/tasks", { ...task, hostPid: rook.claude.pid });
    expect(theirs.json.code).toBe("id_taken");
    const word = await outside.call(rookery, "POST", "/api/messages", { id: "x", to: room, text: "One." });
    expect(word.json).toMatchObject({ code: "invalid_payload", message: expect.stringContaining("id") });
  });
});

test("a task lists its next states; taking one is announced to everyone", async () => {
  const give = { title: "Fix the roof", project: "aviary" };
  const { json: task } = await outside.call(rookery, "POST", "/api/tasks", { ...give, to: "olga" });
  expect(task).toMatchObject({ owner: "olga", requester: "olga", status: "submitted" });
  expect(task.next).toEqual(["working", "rejected", "canceled", "completed", "failed"]);
  await waitFor(async () => (await find("aviary")).last?.text.includes("Fix the roof"));
  const patch = { status: "completed", result: "It is dry." };
  const { json: done } = await outside.call(rookery, "PATCH", `/api/tasks/${task.id}`, patch);
  expect(done).toMatchObject({ status: "completed", next: [] });
  const nobody = await outside.call(rookery, "POST", "/api/tasks", { ...give, to: "nobody-at-all" });
  expect(nobody.json.code).toBe("room_not_found");
  expect(
    (await get("/api/tasks?limit=500")).tasks.filter((one: any) => one.title === give.title),
  ).toHaveLength(1);
});

test("rooms of the same name are told apart by the folders of their projects", async () => {
  const twin = await stage.open("elsewhere/aviary");
  const twins = await waitFor(async () => {
    const { rooms } = await get("/api/rooms");
    const named = rooms.filter((one: any) => one.name === "aviary");
    return named.length === 2 && named;
  });
  expect(new Set(twins.map(({ detail }: any) => detail))).toEqual(new Set([rook.cwd, twin.cwd]));
  const listed = (await rookery.cli("rooms")).stdout;
  for (const { id, detail } of twins) expect(listed).toContain(`aviary (${detail}): ${id}`);
  expect((await find(rook.agent)).detail).toBeNull();

  const { json: group } = await outside.call(rookery, "POST", "/api/rooms", { name: "aviary", members: [] });
  expect(group).toMatchObject({
    kind: "group",
    detail: expect.stringMatching(/^created \d{4}-\d\d-\d\d \d\d:\d\d$/),
  });
});
