import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json.ts";
import type { StoredEvent } from "./event.ts";
import { filterEvent, filterKind, parseEventFilter, parseSyncFilter } from "./filter.ts";

const event = {
  type: "m.room.message",
  sender: "@bob:here",
  roomId: "!room:here",
  content: { body: "b", url: "mxc://a/b" },
} as unknown as StoredEvent;

describe("filtering an event", () => {
  test.each<[JsonObject, boolean]>([
    [{}, true],
    [{ types: ["m.room.message"] }, true],
    [{ types: ["m.room.*"] }, true],
    [{ types: ["*.message"] }, true],
    [{ types: ["m.room.mess"] }, false],
    [{ types: ["m?room?message"] }, false],
    [{ types: [] }, false],
    [{ not_types: ["m.room.*"] }, false],
    [{ types: ["m.room.message"], not_types: ["m.room.message"] }, false],
    [{ senders: ["@bob:here"] }, true],
    [{ senders: ["@alice:here"] }, false],
    [{ senders: [] }, false],
    [{ senders: ["@bob:here"], not_senders: ["@bob:here"] }, false],
    [{ rooms: ["!room:here"] }, true],
    [{ rooms: ["!other:here"] }, false],
    [{ rooms: [] }, false],
    [{ not_rooms: ["!room:here"] }, false],
    [{ contains_url: true }, true],
    [{ contains_url: false }, false],
  ])("%j: %s", (filter, expected) => expect(filterEvent(parseEventFilter(filter), event)).toBe(expected));

  test("checks only the type of events without a sender", () => {
    const filter = parseEventFilter({ senders: [], types: ["m.typing"] });
    expect([filterKind(filter, "m.typing"), filterKind(filter, "m.receipt")]).toEqual([true, false]);
  });
});

describe("parsing a filter", () => {
  const no = "wrong type";
  test.each<JsonObject>([
    { presence: no },
    { account_data: [] },
    { room: no },
    ...["timeline", "state", "ephemeral", "account_data"].map((part) => ({ room: { [part]: no } })),
    ...["rooms", "not_rooms", "senders", "not_senders", "types", "not_types"].map((list) => ({
      room: { timeline: { [list]: no } },
    })),
    { room: { rooms: no } },
    { room: { include_leave: "yes" } },
    { room: { timeline: { types: [1] } } },
    { room: { timeline: { rooms: ["not_a_room_id"] } } },
    { room: { timeline: { senders: ["not_a_sender_id"] } } },
    { room: { timeline: { limit: -1 } } },
    { room: { timeline: { limit: 1.5 } } },
    { room: { timeline: { limit: "10" } } },
    { room: { timeline: { unread_thread_notifications: 1 } } },
    { room: { state: { lazy_load_members: "true" } } },
    { room: { state: { lazy_load_members: 1 } } },
    { room: { state: { include_redundant_members: "true" } } },
    { event_fields: "content.body" },
    { event_fields: [1] },
    { event_format: "raw" },
  ])("rejects %j", (filter) =>
    expect(() => parseSyncFilter(filter)).toThrow(expect.objectContaining({ code: "M_BAD_JSON" })),
  );

  test("defaults to all events, without lazy loading and left rooms", () =>
    expect(parseSyncFilter({})).toMatchObject({
      rooms: undefined,
      includeLeave: false,
      fields: undefined,
      isFederationFormat: false,
      state: { types: undefined, lazyLoad: false, includeRedundant: false },
    }));
});

test("a hostile pattern does not slow down matching", () => {
  const filter = parseEventFilter({ types: [`${"a*".repeat(6)}b`] });
  const started = performance.now();
  expect(filterKind(filter, "a".repeat(110))).toBe(false);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test.each<JsonObject>([
  { types: ["x".repeat(257)] },
  { not_types: Array.from({ length: 1_001 }, (_, i) => `m.${i}`) },
])("rejects patterns that are too long or too many", (filter) => {
  expect(() => parseEventFilter(filter)).toThrow(expect.objectContaining({ code: "M_BAD_JSON" }));
});
