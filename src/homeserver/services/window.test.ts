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
  ["all of a stretch that fits", { after: 17 }, [18, 19, 20], false, 17],
  ["nothing, where nothing happened", { after: 20 }, [], false, 20],
  ["the newest, where more happened", { after: 10, limit: 3 }, [18, 19, 20], true, 17],
  ["all, where exactly so many happened", { after: 17, limit: 3 }, [18, 19, 20], false, 17],
  [
    "what memory has and what it has not",
    { after: 9, limit: 11 },
    [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
    false,
    9,
  ],
  ["a stretch that memory has forgotten", { after: 2, upTo: 6 }, [3, 4, 5, 6], false, 2],
  [
    "what is asked for, however far back",
    { after: 0, limit: 3, filter: { types: ["note"] } },
    [10, 15, 20],
    true,
    9,
  ],
  [
    "all of it, where no more is asked for",
    { after: 0, limit: 4, filter: { types: ["note"] } },
    [5, 10, 15, 20],
    false,
    4,
  ],
  [
    "nothing of what the reader may not see, and no gap before it",
    { after: 0, seesFrom: 19 },
    [19, 20],
    false,
    18,
  ],
  ["nothing, and a gap, where none are wanted", { after: 10, limit: 0 }, [], true, 20],
])("a reader gets %s", (_title, row, expected, isLimited, start) => {
  const { after = 0, upTo = 20, limit = 10, filter = {} } = row;
  const window = readWindow(log, room, seesFrom(row.seesFrom ?? 1), {
    after,
    upTo,
    limit,
    filter: parseEventFilter(filter),
  });
  expect(window.events.map(({ stream }) => stream)).toEqual(expected);
  expect([window.isLimited, window.start]).toEqual([isLimited, start]);
});
