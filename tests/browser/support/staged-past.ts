import { makeId } from "../../../src/shared/ids.ts";
import { markUse } from "../../../src/store/note-use.ts";
import { openStore, type Store } from "../../../src/store/open-store.ts";
import type { Rookery } from "../../support/rookery.ts";
import { replaySession, saveNotes, waitUntilDistilled } from "../../support/seed-sessions.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Sessions of the last days and their age. */
const sessions = [
  { fixture: "36-grpc-rate-limit-feature", id: "1c94e0b2-shortlink", ago: 3 * day + 2 * hour },
  { fixture: "12-actions-cache-miss", id: "77ab41d2-webshop", ago: day + 4 * hour },
  { fixture: "50-fastapi-export-feature", id: "b07d5e63-lab", ago: 6 * hour },
  { fixture: "01-fastapi-timezone-bug", id: "3f6c2a70-orders", ago: 95 * minute },
];

/** Some weeks of work. Leaves the home without a daemon, because the times of the rows were changed directly. */
export async function stagePast(rookery: Rookery): Promise<void> {
  await saveNotes(rookery, [
    ...["20-postgres-slow-query", "06-notes-db-choice", "41-git-rules-monorepo", "42-kafka-rebalance-storm"],
    ...["03-rails-n-plus-one", "10-rust-error-refactor", "30-ingress-websocket-502", "48-ktor-auth-decision"],
  ]);
  const saved = (await rookery.call("GET", "/api/notes?limit=500")).json.notes.length;
  for (const { fixture, id } of sessions) {
    await replaySession(rookery, fixture, id);
    const { cwd } = (await rookery.call("GET", `/api/sessions/${id}`)).json;
    await rookery.call("POST", "/api/hooks/SessionEnd", { session_id: id, cwd, reason: "prompt_input_exit" });
  }
  await waitUntilDistilled(rookery, saved + sessions.length);
  await rookery.kill9();
  const store = openStore(rookery.home.database, Date.now);
  store.db.transaction(() => {
    for (const { id, ago } of sessions) spread(store, id, Date.now() - ago);
    spendOn(store);
    injectInto(store);
  });
  store.close();
}

/** Sets the times of a session's events into the past. */
function spread(store: Store, session: string, from: number): void {
  const { db } = store;
  const events = db.all<{ id: string; turnId: string | null }>(
    "SELECT id, turn_id AS turnId FROM events WHERE session_id = ? ORDER BY seq",
    session,
  );
  const times = new Map(events.map(({ id }, index) => [id, from + index * 37_000]));
  for (const { id } of events) {
    const at = times.get(id) ?? from;
    db.run("UPDATE events SET occurred_at = ? WHERE id = ?", at, id);
    db.run("UPDATE prompts SET occurred_at = ? WHERE event_id = ?", at, id);
  }
  for (const [turn, own] of Map.groupBy(events, ({ turnId }) => turnId)) {
    if (turn === null) continue;
    const [first, last] = [own[0]?.id ?? "", own.at(-1)?.id ?? ""];
    const ended = times.get(last) ?? from;
    db.run(
      "UPDATE turns SET started_at = ?, ended_at = ? WHERE id = ?",
      times.get(first) ?? from,
      ended,
      turn,
    );
    db.run("UPDATE observations SET created_at = ? WHERE turn_id = ?", ended, turn);
    db.run("UPDATE summaries SET created_at = ? WHERE turn_id = ?", ended, turn);
  }
  const last = times.get(events.at(-1)?.id ?? "") ?? from;
  db.run("UPDATE sessions SET started_at = ?, last_event_at = ? WHERE id = ?", from, last, session);
}

/** The cost of a small model. */
function spendOn(store: Store): void {
  for (let ago = 20; ago >= 0; ago--) {
    const at = Date.now() - ago * day;
    const inputTokens = Math.round(90_000 + 70_000 * Math.sin(ago) + 9_000 * (20 - ago));
    const call = { turnId: null, projectId: null, provider: "anthropic", model: "claude-haiku-5-5" };
    const cost = { inputTokens, outputTokens: Math.round(inputTokens / 9), usd: inputTokens * 1.4e-6 };
    const id = makeId(at);
    const date = new Intl.DateTimeFormat("en-CA").format(at);
    store.modelCalls.reserve({ ...call, ...cost, id, day: date, startedAt: at, isFree: false });
    store.modelCalls.settle(id, { ...cost, outcome: "kept", endedAt: at + 900 });
  }
}

/** The notes that those sessions would have been given. */
function injectInto(store: Store): void {
  const notes = store.notes.listRecent(undefined, 200);
  const told = notes.filter(({ sourceEvents }) => sourceEvents.length > 1);
  for (let ago = 20; ago > 0; ago--)
    for (let n = 0; n < 3 + (ago % 4); n++) {
      const at = Date.now() - ago * day;
      // Those of the last days belong to real sessions, so that their use is counted.
      const sessionId = ago < 7 ? (sessions[n % sessions.length]?.id ?? "") : makeId(at + n);
      const about = { sessionId, kind: "observation", eventId: "", at };
      const index = { point: "session.started", reason: "index at startup", score: null, tokens: 620 };
      store.injections.put({ ...about, ...index, ref: notes.at(-1 - ((ago + n) % 20))?.id ?? "" });
      const whole = { point: "prompt", reason: "pool, timeout", score: 0.9, tokens: 140 };
      const note = told[(ago * 3 + n) % Math.max(1, told.length)];
      if (!note || n % 2 === 0) continue;
      store.injections.put({ ...about, ...whole, ref: note.id });
      markUse(store.db, {
        sessionId,
        ref: note.id,
        point: "prompt",
        used: (ago + n) % 3 === 0 ? "no" : "words",
      });
    }
}
