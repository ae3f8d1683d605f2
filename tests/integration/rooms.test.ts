import { afterAll, beforeAll, expect, test } from "vitest";
import { spawnDaemon } from "../support/daemon-process.ts";
import { openEventStream } from "../support/event-stream.ts";
import { type StagedSession, useMailStage } from "../support/mail-stage.ts";
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
  rookery = rookeries.open({ ROOKERY_MATRIX_OWNER: "olga" });
  await spawnDaemon(rookery);
  rook = await stage.open("aviary");
  jay = await stage.open("aviary");
  room = (await waitFor(() => find("aviary"))).id;
});

test("a room tells what was said last, how much of it is new, and is read by a person alone", async () => {
  expect(await find("aviary")).toMatchObject({ kind: "project", unread: 0, last: null, isYours: true });
  for (const text of ["One.", "Two."]) await rook.send("project", text);
  await rookery.call("POST", "/api/leases", { globs: ["src/**"], claudePid: rook.claude.pid });
  await waitFor(async () => (await find("aviary")).last?.text.includes("src/**"));
  // What is told about a lease is for looking up.
  expect(await find("aviary")).toMatchObject({ unread: 2, partner: null });

  const path = `/api/rooms/${encodeURIComponent(room)}/read`;
  expect((await rookery.call("POST", path)).json.code).toBe("may_not_decide");
  const stream = await openEventStream(rookery);
  expect((await outside.call(rookery, "POST", path)).json).toMatchObject({ id: room, unread: 0 });
  await stream.next("room.read", ({ roomId }) => roomId === room);
  await outside.call(rookery, "POST", "/api/messages", { to: room, text: "Read." });
  expect((await find("aviary")).unread).toBe(0);
  await jay.send("project", "Three.");
  await waitFor(async () => (await find("aviary")).unread === 1);
  stream.close();

  await rookery.kill9();
  await spawnDaemon(rookery);
  expect((await find("aviary")).unread).toBe(1);
});

test("who is in a room is told; in a room of two, the two", async () => {
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

test("what two agents say to each other is nobody's to read up on", async () => {
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

test("a message tells how far it got with each agent that it is for", async () => {
  const sent = await outside.call(rookery, "POST", "/api/messages", { to: room, text: "To both of you." });
  expect(sent.json).toMatchObject({ isMine: true, isAgent: false, from: "olga" });
  const states = async () => {
    const { messages } = await get(`/api/messages?room=${encodeURIComponent(room)}&limit=1`);
    return Object.fromEntries(messages[0].deliveries.map(({ agent, state }: any) => [agent, state]));
  };
  await waitFor(async () => Object.keys(await states()).length === 2);
  expect(await states()).toEqual({ [rook.agent]: "queued", [jay.agent]: "queued" });
  const heard = await stage.hear(rook, (text) => text.includes("To both of you."));
  expect(await states()).toEqual({ [rook.agent]: "injected", [jay.agent]: "queued" });
  rook.write(heard);
  await rook.say("PostToolUse");
  await waitFor(async () => (await states())[rook.agent] === "confirmed", { timeoutMs: 20_000 });
});

test("a task tells what it can become; who takes one on tells everybody", async () => {
  const give = { title: "Mend the roof", project: "aviary" };
  const { json: task } = await outside.call(rookery, "POST", "/api/tasks", { ...give, to: "olga" });
  expect(task).toMatchObject({ owner: "olga", requester: "olga", status: "submitted" });
  expect(task.next).toEqual(["working", "rejected", "canceled", "completed", "failed"]);
  await waitFor(async () => (await find("aviary")).last?.text.includes("Mend the roof"));
  const patch = { status: "completed", result: "It is dry." };
  const { json: done } = await outside.call(rookery, "PATCH", `/api/tasks/${task.id}`, patch);
  expect(done).toMatchObject({ status: "completed", next: [] });
  const nobody = await outside.call(rookery, "POST", "/api/tasks", { ...give, to: "nobody-at-all" });
  expect(nobody.json.code).toBe("room_not_found");
  expect((await get("/api/tasks")).tasks).toHaveLength(1);
});
