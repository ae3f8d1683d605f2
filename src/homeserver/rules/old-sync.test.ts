import { describe, expect, it } from "vitest";
import { toEventStream, toInitialSync } from "./old-sync.ts";

const invitation = { type: "m.room.member", state_key: "@me:x", sender: "@a:x", event_id: "$invite" };
const answer = {
  next_batch: "s9",
  rooms: {
    join: {
      "!in:x": {
        timeline: { events: [{ type: "m.room.message", event_id: "$1" }], prev_batch: "s4", limited: false },
        state_after: { events: [{ type: "m.room.create", event_id: "$0" }] },
        ephemeral: { events: [{ type: "m.typing" }, { type: "m.receipt" }] },
        account_data: { events: [{ type: "m.tag" }] },
      },
    },
    invite: { "!invited:x": { invite_state: { events: [{ type: "m.room.name" }, invitation] } } },
    knock: {},
    leave: {
      "!out:x": { timeline: { events: [{ type: "m.room.member", event_id: "$2" }], prev_batch: "s6" } },
    },
  },
  presence: { events: [{ type: "m.presence", sender: "@a:x", content: { presence: "online" } }] },
  account_data: { events: [{ type: "m.direct" }] },
};
const present = { type: "m.presence", sender: "@a:x", content: { presence: "online", user_id: "@a:x" } };

describe("a /sync response", () => {
  it("becomes one list, each event with its room id", () => {
    expect(toEventStream(answer)).toEqual([
      { type: "m.room.message", event_id: "$1", room_id: "!in:x" },
      { type: "m.typing", room_id: "!in:x" },
      { type: "m.receipt", room_id: "!in:x" },
      { type: "m.tag", room_id: "!in:x" },
      { ...invitation, room_id: "!invited:x" },
      { type: "m.room.member", event_id: "$2", room_id: "!out:x" },
      present,
      { type: "m.direct" },
    ]);
  });

  it("becomes an initial sync, with room contents or the invitation", () => {
    const describeRoom = (): { membership: string; visibility: "private" } => ({
      membership: "join",
      visibility: "private",
    });
    const { rooms, ...rest } = toInitialSync(answer, describeRoom);
    const head = { membership: "join", visibility: "private" };
    expect(rooms).toEqual([
      {
        room_id: "!in:x",
        ...head,
        messages: {
          start: "s4",
          end: "s9",
          chunk: [{ type: "m.room.message", event_id: "$1", room_id: "!in:x" }],
        },
        state: [{ type: "m.room.create", event_id: "$0", room_id: "!in:x" }],
        account_data: [{ type: "m.tag" }],
      },
      { room_id: "!invited:x", ...head, inviter: "@a:x", invite: { ...invitation, room_id: "!invited:x" } },
      {
        room_id: "!out:x",
        ...head,
        messages: {
          start: "s6",
          end: "s9",
          chunk: [{ type: "m.room.member", event_id: "$2", room_id: "!out:x" }],
        },
        state: [],
        account_data: [],
      },
    ]);
    expect(rest).toEqual({
      end: "s9",
      presence: [present],
      account_data: [{ type: "m.direct" }],
      receipts: [{ type: "m.receipt", room_id: "!in:x" }],
    });
  });

  it("becomes an empty list if it has no content", () => {
    expect(toEventStream({ next_batch: "s1", rooms: { join: {} } })).toEqual([]);
  });
});
