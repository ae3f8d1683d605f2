import { expect, test } from "vitest";
import { listRooms } from "./sync-response.ts";

const event = { event_id: "$e", type: "m.room.message", sender: "@a:b", origin_server_ts: 1, content: {} };

test.each<[string, unknown]>([
  ["null", null],
  ["a list", []],
  ["a timeline that is text", { timeline: "x" }],
  ["events that are no list", { timeline: { events: {} }, state: null, ephemeral: 7 }],
])("%s in place of a room does not prevent the other rooms from being read", (_what, broken) => {
  const rooms = {
    join: { "!a:b": broken, "!c:d": { timeline: { events: [null, event] } } },
    invite: { "!e:f": broken },
  };
  const { joined, invited } = listRooms({ next_batch: "s1", rooms });
  expect(joined.map(({ roomId, events }) => [roomId, events.length])).toEqual([
    ["!a:b", 0],
    ["!c:d", 1],
  ]);
  expect(invited).toEqual([{ roomId: "!e:f", inviter: undefined, isDirect: false }]);
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["text", "x"],
])("%s in place of the rooms is no room", (_what, rooms) => {
  expect(listRooms({ next_batch: "s1", rooms })).toEqual({ joined: [], invited: [] });
});
