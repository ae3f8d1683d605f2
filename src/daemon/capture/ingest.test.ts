import { setImmediate as nextTurn } from "node:timers/promises";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { prepareEvent } from "../../domain/capture/prepare-event.ts";
import { claudeCode } from "../../hosts/claude-code/claude-code.ts";
import { silentLog } from "../../shared/log.ts";
import { openStore } from "../../store/open-store.ts";
import { openBus } from "../runtime/bus.ts";
import { makeHookCounter } from "../runtime/hook-counter.ts";
import { openIngest } from "./ingest.ts";

const clock = (): number => 1_000;
const raw = new TextEncoder().encode(JSON.stringify({ session_id: "s", cwd: tmpdir() }));
const limits = { fieldLimit: 64_000, exclusion: makeExclusion([]) };
const prepared = prepareEvent(raw, "Notification", claudeCode, limits);

function open() {
  const store = openStore(":memory:", clock);
  const commits = { count: 0 };
  const { transaction } = store.db;
  store.db.transaction = (work) => {
    commits.count++;
    return transaction(work);
  };
  const hookCounter = makeHookCounter();
  const bus = openBus(silentLog, 1_000);
  const ingest = openIngest({ store, bus, log: silentLog, clock, contributors: [], hookCounter });
  const submit = (id: string) =>
    ingest.submit(
      { id, host: undefined, hostPid: undefined, occurredAt: 1_000, via: "hook", prepared },
      false,
    );
  return { submit, commits, hookCounter };
}

test("a lone event is committed in the next turn of the event loop", async () => {
  const { submit, commits } = open();
  const stored = submit("a");
  await nextTurn();
  expect(commits.count).toBe(1);
  await stored;
});

test("an event shares the commit with hooks that have connected", async () => {
  const { submit, commits, hookCounter } = open();
  hookCounter.addUnnamed(1);
  const first = submit("a");
  await nextTurn();
  hookCounter.addUnnamed(-1);
  await Promise.all([first, submit("b")]);
  expect(commits.count).toBe(1);
});

test("a connection that never sends a name does not hold up the others", async () => {
  const { submit, commits, hookCounter } = open();
  hookCounter.addUnnamed(1);
  await submit("a");
  expect(commits.count).toBe(1);
});
