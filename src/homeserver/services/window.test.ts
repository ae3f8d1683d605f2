import { expect, test } from "vitest";
import type { StoredEvent } from "../rules/event.ts";
import { parseEventFilter } from "../rules/filter.ts";
import type { EventLog } from "./event-log.ts";
import type { Room } from "./rooms.ts";
import { readWindow } from "./window.ts";

/** Events at 1 to 20, every fifth of them a note; the last eight are in memory. */
const all = Array.from({ length: 20 }, (_, i) => {
  const stream = i + 1;
  return { stream, type: stream % 5 === 0 ? "note" : "message", content: {} } as StoredEvent;
});
const log = {
  range: (_room, { after, upTo, limit }) =>
    all
      .filter(({ stream }) => stream > after && stream <= upTo)
      .toReversed()
      .slice(0, limit),
} satisfies Partial<EventLog> as unknown as EventLog;
const room = { n: 1, recent: all.slice(12), recentFrom: 12 } as Partial<Room> as Room;
const seesFrom = (first: number) => ({
  canSee: ({ stream }: StoredEvent) => stream >= first,
  membershipAt: () => "join" as const,
  stateUpTo: undefined,
});

interface Row {
  after?: number;
  upTo?: number;
  limit?: number;
  filter?: object;
  seesFrom?: number;
}

test.each<[string, Row, number[], boolean, number]>([
  ["the full range if it fits", { after: 17 }, [18, 19, 20], false, 17],
  ["nothing if there are no new events", { after: 20 }, [], false, 20],
  ["the newest events if there are more than the limit", { after: 10, limit: 3 }, [18, 19, 20], true, 17],
  ["all events if their number equals the limit", { after: 17, limit: 3 }, [18, 19, 20], false, 17],
  [
    "events from memory and from the database",
    { after: 9, limit: 11 },
    [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    false,
    9,
  ],
  ["a range that is no longer in memory", { after: 2, upTo: 6 }, [3, 4, 5, 6], false, 2],
  [
    "matching events from far back",
    { after: 0, limit: 3, filter: { types: ["note"] } },
    [10, 15, 20],
    true,
    9,
  ],
  [
    "all matching events if their number equals the limit",
    { after: 0, limit: 4, filter: { types: ["note"] } },
    [5, 10, 15, 20],
    false,
    4,
  ],
  [
    "no events the reader may not see, and no gap before the first",
    { after: 0, seesFrom: 19 },
    [19, 20],
    false,
    18,
  ],
  ["only a gap with a limit of 0", { after: 10, limit: 0 }, [], true, 20],
])("a reader gets %s", (_title, row, expected, isLimited, start) => {
  const { after = 0, upTo = 20, limit = 10, filter = {} } = row;
  const window = readWindow(log, room, seesFrom(row.seesFrom ?? 1), {
    after,
    upTo,
    limit,
    filter: parseEventFilter(filter),
    budget: { take: () => true },
  });
  expect(window.events.map(({ stream }) => stream)).toEqual(expected);
  expect([window.isLimited, window.start]).toEqual([isLimited, start]);
});
