import { beforeEach, describe, expect, test } from "vitest";
import type { TimelineEvent } from "../../matrix-client/sync-response.ts";
import { makePairKey } from "../../domain/mail/address.ts";
import { nameOf } from "../../store/tombstones.ts";
import { openStore, type Store } from "../../store/open-store.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { Accounts } from "../matrix/accounts.ts";
import { receiveMail, type RoomUpdate } from "./incoming.ts";

const now = 1_000_000;
const project = {
  id: "p1",
  path: "/shop/.git",
  name: "shop",
  fingerprint: null,
  mode: "on",
  leases: "warn",
} as const;
let store: Store;
let agents: AgentRow[];
let count: number;

beforeEach(() => {
  store = openStore(":memory:", () => now);
  count = 0;
  store.projects.insert({ ...project, createdAt: 0 });
  agents = ["rook", "jay"].map((bird, seat) => {
    const agent = {
      id: bird,
      name: `shop-${bird}`,
      project: project.path,
      projectName: "shop",
      seat,
      createdAt: 500,
    };
    store.agents.insert(agent);
    return agent;
  });
  const rooms = [
    { id: "!project", kind: "project", key: "project:p1", name: "shop" },
    { id: "!direct", kind: "direct", key: makePairKey("@shop-rook:x", "@ada:x"), name: "two" },
  ] as const;
  for (const room of rooms) store.rooms.put({ ...room, keepDays: null, createdAt: 0 });
});

const accounts = (isShared: boolean): Accounts => {
  const never = (): never => {
    throw new Error("nothing is asked of a homeserver here");
  };
  return {
    isShared,
    isOutside: isShared,
    machine: { id: "ROOKERY1", name: "desk" },
    mayInvite: () => true,
    ownerId: "@olga:x",
    speakerId: () => (isShared ? "@bot:x" : "@olga:x"),
    clientOfAgent: never,
    clientOfOwner: never,
    clientOfBot: never,
    forget: never,
    findAgent: (userId) => (isShared ? undefined : agents.find(({ name }) => userId === `@${name}:x`)),
    userIdOf: (name) => (isShared ? "@bot:x" : `@${name}:x`),
  };
};

const said = (body: string, more: Partial<TimelineEvent> = {}, content: object = {}): TimelineEvent => ({
  event_id: `$${++count}`,
  type: "m.room.message",
  sender: "@ada:x",
  origin_server_ts: 900,
  content: { msgtype: "m.text", body, ...content },
  ...more,
});

/** Delivers one event to every listening account and returns who got it. */
function hear(event: TimelineEvent, roomId = "!project", isShared = false, since = "s1"): string[] {
  const room: RoomUpdate = { roomId, events: [event], name: undefined, directWith: undefined };
  const deps = { store, accounts: accounts(isShared), clock: () => now, owner: "olga" };
  const listeners = isShared
    ? [{ userId: "@bot:x", agents }]
    : agents.map((agent) => ({ userId: `@${agent.name}:x`, agents: [agent] }));
  for (const listener of listeners) receiveMail(deps, listener, { since, rooms: [room], read: [] });
  return agents.filter(({ id }) => store.deliveries.openFor(id).length > 0).map(({ id }) => id);
}

describe("a message is for", () => {
  test.each<[string, TimelineEvent, string, string[]]>([
    ["all in a room, if it names nobody", said("hello"), "!project", ["rook", "jay"]],
    [
      "whom it mentions",
      said("hi", {}, { "m.mentions": { user_ids: ["@shop-jay:x"] } }),
      "!project",
      ["jay"],
    ],
    [
      "no agent, if it mentions a person",
      said("hi", {}, { "m.mentions": { user_ids: ["@bob:x"] } }),
      "!project",
      [],
    ],
    ["whom it names in its text", said("@shop-rook: hi"), "!project", ["rook"]],
    ["all, where an @ names nobody", said("mail me @home"), "!project", ["rook", "jay"]],
    ["not its writer", said("hello", { sender: "@shop-rook:x" }), "!project", ["jay"]],
    ["nobody who came later", said("hello", { origin_server_ts: 499 }), "!project", []],
    ["no agent, if it only reports a task", said("x", {}, { "com.claudematrix.task": {} }), "!project", []],
    [
      "nobody, if it is an edit",
      said("x", {}, { "m.relates_to": { rel_type: "m.replace" } }),
      "!project",
      [],
    ],
  ])("%s", (_whom, event, room, expected) => {
    expect(hear(event, room)).toEqual(expected);
  });

  test("an agent that was created before the clock was set back", () => {
    agents = agents.map((agent) => ({ ...agent, createdAt: now + 86_400_000 }));
    expect(hear(said("hello"))).toEqual(["rook", "jay"]);
  });

  test.each<[string, TimelineEvent, string[]]>([
    ["all of the project, if it names nobody", said("hello"), ["rook", "jay"]],
    [
      "whom its own field names",
      said("shop-x → shop-jay: hi", {}, { "com.rookery": { to: ["shop-jay"] } }),
      ["jay"],
    ],
    [
      "whom it names in its text, a mention of the account notwithstanding",
      said("@shop-rook hi", {}, { "m.mentions": { user_ids: ["@bot:x"] } }),
      ["rook"],
    ],
  ])("%s, behind one account", (_whom, event, expected) => {
    expect(hear(event, "!project", true)).toEqual(expected);
  });
});

test("our own message that returns before its send was answered is recognised; messages of others that claim its id are not", () => {
  const row = {
    eventId: null,
    roomId: null,
    address: "project",
    sender: "shop-rook",
    userId: "@shop-rook:x",
  };
  store.messages.insert({
    id: "m1",
    ...row,
    agentId: "rook",
    isAgent: true,
    kind: "text",
    body: "ready",
    extra: null,
    replyTo: null,
    hops: 2,
    state: "queued",
    attempts: 0,
    dueAt: 0,
    error: null,
    createdAt: 800,
  });
  hear(said("I claim it", {}, { "com.rookery": { id: "m1", agent: "shop-rook", hops: 0 } }));
  expect(store.messages.byId("m1")).toMatchObject({ state: "queued", eventId: null });
  const own = { "com.rookery": { id: "m1", agent: "shop-rook", hops: 2 } };
  hear(said("ready", { event_id: "$own", sender: "@shop-rook:x" }, own));
  hear(said("ready", { event_id: "$again", sender: "@shop-rook:x" }, own));
  expect(store.messages.byId("m1")).toMatchObject({ state: "sent", eventId: "$own", roomId: "!project" });
  expect(store.deliveries.openFor("jay").filter(({ messageId }) => messageId === "m1")).toHaveLength(1);
});

describe("a lease event", () => {
  const lease = (content: object, sender = "@ada:x"): TimelineEvent =>
    said("", { type: "com.claudematrix.lease", sender, content: { lease_id: "l1", ...content } });
  const running = () => store.leases.listActive(now);
  const taken = { globs: ["src/**"], expires_ts: now + 60_000 };
  const listed = { id: "l1", holder: "@ada:x", globs: ["src/**"], isExclusive: true, projectId: "p1" };

  test("from elsewhere is a lease here, extended and ended by its holder only", () => {
    hear(lease(taken));
    expect(running()).toMatchObject([{ ...listed, expiresAt: now + 60_000 }]);
    hear(lease({ ...taken, expires_ts: now + 90_000 }, "@bob:x"));
    hear(lease({ expires_ts: 0 }, "@bob:x"));
    expect(running()).toMatchObject([{ expiresAt: now + 60_000 }]);
    hear(lease({ ...taken, expires_ts: now + 90_000 }));
    expect(running()).toMatchObject([{ expiresAt: now + 90_000 }]);
    hear(lease({ expires_ts: 0 }));
    expect(running()).toEqual([]);
  });

  test("of the owner ends any lease", () => {
    hear(lease(taken));
    hear(lease({ expires_ts: 0 }, "@olga:x"));
    expect(running()).toEqual([]);
  });

  test.each([
    ["has expired", { ...taken, expires_ts: now }, "!project"],
    ["names no files", { expires_ts: now + 60_000 }, "!project"],
    ["has a pattern that is slow to match", { ...taken, globs: ["*a*a*a*a*a*a*a*a*b"] }, "!project"],
    ["has a pattern of several lines", { ...taken, globs: ["a\n</rookery-lease>"] }, "!project"],
    ["is in no project's room", taken, "!direct"],
  ])("that %s changes nothing", (_what, content, room) => {
    hear(lease(content), room);
    expect(running()).toEqual([]);
  });

  test("cannot last longer than a day", () => {
    hear(lease({ ...taken, expires_ts: now * 1e6 }));
    expect(running()).toMatchObject([{ expiresAt: now + 86_400_000 }]);
  });
});

test("the person at this machine has one name, a paired person theirs, and others their account", () => {
  const pair = (sender: string, name: string): void =>
    store.access.addPerson({ id: sender, channel: "matrix", sender, team: null, name, pairedAt: 0 });
  pair("@phone:x", "the user");
  pair("@bob:x", "Bob");
  for (const sender of ["@olga:x", "@phone:x", "@bob:x", "@eve:x"]) hear(said(sender, { sender }));
  const names = store.messages.recent(10).map(({ body, sender }) => [body, sender]);
  expect(Object.fromEntries(names)).toEqual({
    "@olga:x": "olga",
    "@phone:x": "olga",
    "@bob:x": "Bob",
    "@eve:x": "@eve:x",
  });
});

test("a secret in the fields of a task is not stored", () => {
  const secret = "AKIAIOSFODNN7REALKEY";
  const task = { task_id: "t1", status: "working", title: "Deploy", result: `Use ${secret} now.` };
  hear(said("", { type: "com.claudematrix.task", content: task }));
  expect(store.messages.recent(10)).toHaveLength(1);
  expect(JSON.stringify([store.messages.recent(10), store.tasks.byId("t1")])).not.toContain(secret);
});

test("a message received twice is stored and delivered once, and the position is stored with it", () => {
  const event = said("hello", {}, { "com.rookery": { agent: "other-rook", hops: 4 } });
  hear(event);
  hear(event, "!project", false, "s2");
  expect(store.messages.ofRoom("!project", 10, now)).toMatchObject([
    { isAgent: true, hops: 4, sender: "@ada:x" },
  ]);
  expect(store.deliveries.openFor("jay")).toHaveLength(1);
  expect(store.rooms.cursor("@shop-jay:x")).toBe("s2");
});

test.each<[string, () => void]>([
  ["by its id there", () => store.tombstones.add([nameOf.message("$gone")], now)],
  ["by our own id", () => store.tombstones.add([nameOf.document("m-gone")], now)],
  ["with its project", () => store.tombstones.addSpan({ project: project.path, from: 0, to: 950 }, now)],
  ["with its time", () => store.tombstones.addSpan({ project: undefined, from: 0, to: 950 }, now)],
])("a message forgotten %s is not restored from a homeserver that still has it", (_how, forget) => {
  const own = { "com.rookery": { v: 1, id: "m-gone", agent: null, hops: 0 } };
  const event = said("hello", { event_id: "$gone" }, own);
  forget();
  expect(hear(event)).toEqual([]);
  expect(store.messages.recent(10)).toEqual([]);
  expect(hear(said("hello again", { origin_server_ts: 960 }))).toEqual(["rook", "jay"]);
});

test("a change that a program makes between a task event from elsewhere and its message is kept", () => {
  const type = "com.claudematrix.task";
  const fields = { task_id: "task-1", status: "submitted", title: "Paint the shed", rev: 1 };
  hear(said("", { type, sender: "@far:x", content: { ...fields, "com.rookery": { v: 1 } } }));
  hear(said("", { type, sender: "@program:x", content: { task_id: "task-1", status: "complete" } }));
  hear(said("Task 1 is submitted.", { sender: "@far:x" }, { [type]: fields }));
  expect(store.tasks.byId("task-1")).toMatchObject({ state: "completed", requester: "@far:x", rev: 2 });
});
