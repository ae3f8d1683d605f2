import { expect, test } from "vitest";
import { openStore, type Store } from "./open-store.ts";

/** The steps of the reads that `work` makes which go through a whole table without an index. */
function findTableScans(work: (store: Store) => void): string[] {
  const store = openStore(":memory:", () => 0);
  const { all, get } = store.db;
  const read: string[] = [];
  Object.assign(store.db, {
    all: (sql: string, ...values: never[]) => (read.push(sql), all(sql, ...values)),
    get: (sql: string, ...values: never[]) => (read.push(sql), get(sql, ...values)),
  });
  work(store);
  expect(read).not.toEqual([]);
  const steps = read.flatMap((sql) => all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`));
  store.close();
  return steps.map(({ detail }) => detail).filter((step) => /^SCAN \w+$/.test(step));
}

test.each<[string, (store: Store) => unknown]>([
  ["notes of a project", ({ notes }) => notes.listRecent(["p"], 50)],
  ["current notes of a project", ({ notes }) => notes.listCurrent("p", 50)],
  ["current notes of a type", ({ notes }) => notes.listCurrent("p", 50, ["decision"])],
  ["notes of a session", ({ notes }) => notes.ofSession("s", 50)],
  ["notes of a turn", ({ notes }) => notes.ofTurn("t")],
  ["a note by the end of its id", ({ notes }) => notes.byShortId("0000")],
  ["the last session summaries of a project", ({ summaries }) => summaries.recentSessions("p", 10)],
  ["unfinished work of a project", ({ summaries }) => summaries.listWithOpenEnds("p", 10)],
  ["a session", ({ sessions }) => sessions.byId("s")],
  ["the session of a process", ({ sessions }) => sessions.latestOfPid(1)],
  ["turns of a session", ({ turns }) => turns.ofSession("s")],
  ["events of a session", ({ events }) => events.ofSession("s")],
])("a read of %s uses an index", (_what, work) => {
  expect(findTableScans(work)).toEqual([]);
});

test("a read without an index is noticed", () => {
  expect(findTableScans(({ db }) => db.all("SELECT 1 FROM observations WHERE title = ?", "x"))).toEqual([
    "SCAN observations",
  ]);
});
