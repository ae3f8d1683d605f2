import { expect, test } from "vitest";
import { makePairKey } from "../../domain/mail/address.ts";
import { silentLog } from "../../shared/log.ts";
import type { MessageRow } from "../../store/messages.ts";
import { openStore } from "../../store/open-store.ts";
import { openBus } from "../runtime/bus.ts";
import type { Accounts } from "../matrix/accounts.ts";
import { makeReadMarks } from "./read-marks.ts";
import { makeRoomReader } from "./room-reader.ts";

const store = openStore(":memory:", () => 0);
const agent = { id: "a", name: "api-jay", project: "/api", projectName: "api", seat: 1, createdAt: 0 };
store.agents.insert(agent);
const userIdOf = (name: string): string => `@${name}:s`;
const receipts: string[][] = [];
const accounts = {
  ownerId: "@olga:s",
  isShared: false,
  userIdOf,
  clientOfOwner: async () => ({
    markRead: async (room: string, event: string) => void receipts.push([room, event]),
  }),
  findAgent: (userId: string) => (userId === "@api-jay:s" ? agent : undefined),
} as unknown as Accounts;
const marks = makeReadMarks(store);
const reading = makeRoomReader({ store, bus: openBus(silentLog, 0), accounts, marks, owner: "olga" });

function say(id: string, at: number, fields: Partial<MessageRow>): void {
  store.messages.insert({
    id,
    eventId: null,
    roomId: null,
    address: "",
    sender: "olga",
    userId: null,
    agentId: null,
    isAgent: false,
    kind: "text",
    body: id,
    extra: null,
    replyTo: null,
    hops: 0,
    state: "queued",
    attempts: 0,
    dueAt: 0,
    error: null,
    createdAt: at,
    ...fields,
  });
}
const read = (name: string): string[] => reading.listMessages(name, 10, 100).map(({ id }) => id);

test("messages that wait for the homeserver are listed in their place, even before there is a room", () => {
  expect(() => reading.listMessages("nowhere", 10, 100)).toThrow("There is no room nowhere");
  expect(read("api-jay")).toEqual([]);
  say("waiting", 1, { address: "api-jay" });
  say("from an agent", 2, { address: "api-jay", agentId: "a" });
  expect(read("api-jay")).toEqual(["waiting"]);

  const key = makePairKey("@olga:s", "@api-jay:s");
  store.rooms.put({ id: "!two:s", kind: "direct", key, name: "two", keepDays: null, createdAt: 0 });
  say("said", 3, { address: "api-jay", roomId: "!two:s", state: "sent", eventId: "$said" });
  say("on its way", 3, { address: "api-jay", roomId: "!two:s" });
  say("failed", 4, { address: "api-jay", state: "failed" });
  expect(read("api-jay")).toEqual(["failed", "on its way", "said", "waiting"]);
  expect(read("!two:s")).toEqual(["failed", "on its way", "said", "waiting"]);

  store.rooms.put({
    id: "!p:s",
    kind: "project",
    key: "project:x",
    name: "api",
    keepDays: null,
    createdAt: 0,
  });
  for (const [n, address] of ["!p:s", "#api", "api"].entries()) say(`to ${address}`, 5 + n, { address });
  expect(read("!p:s")).toEqual(["to api", "to #api", "to !p:s"]);
  expect(read("#api")).toEqual(read("!p:s"));
});

test("the read marker moves to the homeserver's latest event, is sent once and never moves back; a deleted room is dropped", async () => {
  const room = reading.find("!two:s");
  for (const _twice of [1, 2]) await reading.markRead(room);
  expect(receipts).toEqual([["!two:s", "$said"]]);
  expect(marks.get("!two:s")).toBe(3);
  expect(marks.set("!two:s", 2)).toBe(false);
  expect(makeReadMarks(store).get("!two:s")).toBe(3);
  store.rooms.remove("!two:s");
  marks.set("!p:s", 9);
  expect(makeReadMarks(store).get("!two:s")).toBe(0);
});
