import { expect, test } from "vitest";
import { measureEvents, openEventTable } from "./events.ts";
import { migrate } from "../sqlite/migrate.ts";
import { loadStoreMigrations } from "./store-migrations.ts";
import { openDatabase } from "../sqlite/sqlite.ts";

/** Events of 700 bytes each, one a day; the last one belongs to a turn that is not distilled yet. */
function makeEvents(days: number) {
  const db = openDatabase(":memory:");
  migrate(db, loadStoreMigrations());
  db.script(`INSERT INTO agents VALUES ('a', 'a', 'p', 'p', 0, 'o', 0);
    INSERT INTO sessions (id, agent_id, project, source, status, status_at, started_at, last_event_at, origin)
      VALUES ('s', 'a', 'p', 'startup', 'active', 0, 0, 0, 'o');
    INSERT INTO turns (id, session_id, number, origin_kind, started_at, origin) VALUES ('waits', 's', 1, 'human', 0, 'o')`);
  const events = openEventTable(db, "o");
  for (let day = 0; day < days; day++)
    events.insert({
      ...{
        id: `e${day}`,
        event: "turn.ended",
        sessionId: "s",
        turnId: day === 2 ? "waits" : null,
        subagentId: null,
      },
      ...{
        toolName: null,
        toolKind: null,
        toolUseId: null,
        filePath: null,
        payload: "x".repeat(700),
        bytes: 700,
        via: "hook",
      },
      occurredAt: day,
      storedAt: day,
    });
  return { db, events };
}

test.each([
  ["nothing is too old or too much", { before: 0, maxBytes: 1e9 }, [0, 1, 2, 3, 4, 5]],
  ["by age", { before: 4, maxBytes: 1e9 }, [2, 4, 5]],
  ["by size: the newest stay", { before: 0, maxBytes: 2_500 }, [2, 4, 5]],
  ["all are old", { before: 99, maxBytes: 1e9 }, [2]],
])("%s; a turn that waits keeps its events", (_name, limits, left) => {
  const { db, events } = makeEvents(6);
  const { cutoff, bytes, oldestAt } = measureEvents(db, limits);
  expect({ bytes, oldestAt }).toEqual({ bytes: 6_000, oldestAt: 0 });
  while (events.removeBefore(cutoff, 2) > 0);
  expect(events.ofSession("s").map(({ storedAt }) => storedAt)).toEqual(left);
  db.close();
});
