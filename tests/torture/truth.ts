import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/sqlite/sqlite.ts";
import { waitFor } from "../support/processes.ts";
import type { Rookery } from "../support/rookery.ts";

/** Everything that was acknowledged since the database began: each must be there exactly once. */
export interface Truth {
  /** Ids of events whose spool file was written. */
  events: Set<string>;
  /** Texts of messages; true once the API accepted one. */
  messages: Map<string, boolean>;
  /** Questions by id, with the answer that was accepted. */
  answers: Map<string, string | undefined>;
  /** Incomplete files that we put into the spool. */
  incomplete: Set<string>;
}

export interface Totals {
  events: number;
  messages: number;
  answers: number;
  /** Events, messages and answers only in a database that was set aside as damaged. */
  setAside: number;
  /** Messages that were not accepted, by status; 0 if the daemon could not be reached. */
  refused: Record<number, number>;
  lost: string[];
  twice: string[];
}

export const noTruth = (): Truth => ({
  events: new Set(),
  messages: new Map(),
  answers: new Map(),
  incomplete: new Set(),
});

const patienceMs = 60_000;

/** Waits until everything has arrived, then compares. The database begins empty again after it was damaged or deleted. */
export async function settle(rookery: Rookery, truth: Truth, totals: Totals): Promise<void> {
  const { home } = rookery;
  const waiting = (): string[] => readdirSync(home.spool).filter((name) => !name.startsWith("Monitor"));
  await waitFor(() => waiting().length === 0, {
    timeoutMs: patienceMs,
    describe: () => `an empty spool, not ${waiting().slice(0, 5).join(", ")}`,
  });
  dropSetAside(home.root, truth, totals);
  const db = openDatabase(home.database, { readOnly: true });
  try {
    await waitForMail(db, truth);
    compareEvents(db, truth, totals);
    compareMessages(home.matrixDatabase, db, truth, totals);
    compareAnswers(db, truth, totals);
    const [checked] = db.all<{ integrity_check: string }>("PRAGMA integrity_check");
    if (checked?.integrity_check !== "ok") totals.lost.push(`integrity: ${checked?.integrity_check}`);
  } finally {
    db.close();
  }
  const rejected = readdirSync(home.rejected).filter((name) => !truth.incomplete.has(name));
  totals.lost.push(...rejected.map((name) => `rejected ${name}`));
}

const count = (db: Database, sql: string, ...values: string[]): number =>
  db.get<{ n: number }>(sql, ...values)?.n ?? 0;

const perMessage = "SELECT count(*) AS n FROM deliveries WHERE kind = 'message' AND body = ?";

async function waitForMail(db: Database, truth: Truth): Promise<void> {
  const pending = (): string[] =>
    [...truth.messages].flatMap(([text, isAccepted]) =>
      isAccepted && count(db, perMessage, text) === 0 ? [text] : [],
    );
  const open = (): number =>
    count(db, "SELECT count(*) AS n FROM questions WHERE state = 'answered' AND handed_at IS NULL");
  await waitFor(() => pending().length === 0 && open() === 0, {
    timeoutMs: patienceMs,
    intervalMs: 200,
    describe: () =>
      `${JSON.stringify(
        pending()
          .slice(0, 3)
          .map((text) => describeMessage(db, text)),
      )} and ${open()} answers to be delivered`,
  });
}

function describeMessage(db: Database, text: string): unknown {
  const sql =
    "SELECT body, sender, state, attempts, error, event_id, room_id, created_at FROM messages WHERE body = ?";
  return { message: db.get(sql, text), agents: db.all("SELECT name, created_at FROM agents") };
}

function compareEvents(db: Database, truth: Truth, totals: Totals): void {
  const stored = new Set(db.all<{ id: string }>("SELECT id FROM events").map(({ id }) => id));
  totals.events += truth.events.size;
  totals.lost.push(...[...truth.events].filter((id) => !stored.has(id)).map((id) => `event ${id}`));
  const repeated = db.all<{ tool: string; n: number }>(
    "SELECT tool_use_id AS tool, count(*) AS n FROM events WHERE tool_use_id IS NOT NULL GROUP BY session_id, event, tool_use_id HAVING n > 1",
  );
  totals.twice.push(...repeated.map(({ tool }) => `event of ${tool}`));
}

/** Whether the bytes of a database that was damaged contain a text. */
export function makeSetAside(root: string): (text: string) => boolean {
  const bytes = readdirSync(root)
    .filter((name) => name.includes(".damaged-"))
    .map((name) => readFileSync(join(root, name), "latin1"))
    .join("");
  return (text) => bytes.includes(text);
}

/** A damaged database takes with it what was stored between the damage and its discovery. */
function dropSetAside(root: string, { events, messages, answers }: Truth, totals: Totals): void {
  const isSetAside = makeSetAside(root);
  const db = openDatabase(join(root, "rookery.db"), { readOnly: true });
  const isStored = (sql: string, value: string): boolean => count(db, sql, value) > 0;
  const drop = (place: Set<string> | Map<string, unknown>, sql: string): void => {
    // Searches all bytes of those databases, so only for what is missing.
    for (const name of place.keys())
      if (!isStored(sql, name) && isSetAside(name)) totals.setAside += Number(place.delete(name));
  };
  drop(events, "SELECT count(*) AS n FROM events WHERE id = ?");
  drop(messages, "SELECT count(*) AS n FROM messages WHERE body = ?");
  drop(answers, "SELECT count(*) AS n FROM questions WHERE id = ?");
  db.close();
}

function compareMessages(matrix: string, db: Database, truth: Truth, totals: Totals): void {
  const rooms = existsSync(matrix) ? openDatabase(matrix, { readOnly: true }) : undefined;
  for (const [text, isAccepted] of truth.messages) {
    const delivered = count(db, perMessage, text);
    const sql = "SELECT count(*) AS n FROM events WHERE json_extract(content, '$.body') = ?";
    const sent = rooms ? count(rooms, sql, text) : delivered;
    if (isAccepted) totals.messages++;
    if (isAccepted && (delivered === 0 || sent === 0)) totals.lost.push(`message ${text}`);
    if (delivered > 1 || sent > 1)
      totals.twice.push(`message ${text}: ${delivered} deliveries, ${sent} events`);
  }
  rooms?.close();
}

function compareAnswers(db: Database, truth: Truth, totals: Totals): void {
  for (const [id, accepted] of truth.answers) {
    if (accepted === undefined) continue;
    totals.answers++;
    const row = db.get<{ state: string; answer: string; agent: string | null }>(
      "SELECT state, answer, agent_id AS agent FROM questions WHERE id = ?",
      id,
    );
    if (row?.state !== "answered" || !row.answer.includes(accepted))
      totals.lost.push(`answer ${accepted} of ${id}: ${row?.state} ${row?.answer}`);
    const delivered = count(
      db,
      "SELECT count(*) AS n FROM deliveries WHERE kind = 'answer' AND body LIKE ?",
      `%${id}%`,
    );
    if (delivered === 0) totals.lost.push(`delivery of answer ${id} to ${row?.agent ?? "an unknown agent"}`);
    if (delivered > 1) totals.twice.push(`answer ${id}: ${delivered} deliveries`);
  }
}
