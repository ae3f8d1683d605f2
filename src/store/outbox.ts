import type { Database } from "../sqlite/sqlite.ts";
import { openRowTable } from "./row-table.ts";

type OutboxState = "held" | "waiting" | "sending" | "sent" | "parked" | "dropped";

export interface OutboxRow {
  id: string;
  channel: string;
  key: string;
  kind: "card" | "notice";
  state: OutboxState;
  questionId: string | null;
  ticket: string | null;
  inputHash: string | null;
  notice: string | null;
  repeats: number;
  place: string | null;
  shown: string | null;
  attempts: number;
  dueAt: number;
  queuedAt: number;
  error: string | null;
  createdAt: number;
  postedAt: number | null;
}

export interface OutboxTable {
  /** False if the channel already has a row with this key; nothing is changed then. */
  insert(row: OutboxRow): boolean;
  /** Writes the mutable columns. */
  update(row: OutboxRow): void;
  byId(id: string): OutboxRow | undefined;
  byTicket(ticket: string): OutboxRow | undefined;
  byPlace(channel: string, place: string): OutboxRow | undefined;
  listCards(questionId: string): OutboxRow[];
  /** Cards created since then that are neither dropped nor parked. */
  listCardsSince(createdAt: number): OutboxRow[];
  /** Cards that are shown but do not show an outcome yet. */
  listShownCards(): OutboxRow[];
  /** The next row to send: cards before notices, each in order of arrival. */
  findNextUnsent(channel: string): OutboxRow | undefined;
  /** Oldest first. */
  listUnsentNotices(channel: string): OutboxRow[];
  listHeld(): OutboxRow[];
  /** The newest unsent notice of a session and kind. */
  findUnsentNotice(channel: string, keyPrefix: string): OutboxRow | undefined;
  hasSentSince(channel: string, keyPrefix: string, notice: string, since: number): boolean;
  /** All unfinished rows and, with `all`, the newest finished ones. */
  list(limit: number, all: boolean): OutboxRow[];
  counts(): { held: number; waiting: number; parked: number };
  /** Removes finished rows older than this. */
  purge(before: number): void;
}

const columns =
  "id, channel, key, kind, state, question_id, ticket, input_hash, notice, repeats, place, shown, attempts, due_at, queued_at, error, created_at, posted_at";
const isOpen = "state IN ('held', 'waiting', 'sending', 'parked')";

export function openOutboxTable(db: Database, origin: string): OutboxTable {
  const table = openRowTable<OutboxRow>(db, "outbox", columns);
  const { select } = table;
  return {
    insert: (row) => table.insert(row, { origin }, "ON CONFLICT (channel, key) DO NOTHING"),
    update(row) {
      table.update(
        row,
        "state, notice, repeats, place, shown, attempts, due_at, queued_at, error, posted_at",
      );
    },
    byId: (id) => db.get<OutboxRow>(`${select} WHERE id = ?`, id),
    byTicket: (ticket) => db.get<OutboxRow>(`${select} WHERE ticket = ?`, ticket),
    byPlace: (channel, place) =>
      db.get<OutboxRow>(`${select} WHERE channel = ? AND place = ? AND kind = 'card'`, channel, place),
    listCards: (questionId) => db.all<OutboxRow>(`${select} WHERE question_id = ?`, questionId),
    listCardsSince: (createdAt) =>
      db.all<OutboxRow>(
        `${select} WHERE created_at >= ? AND kind = 'card' AND state IN ('waiting', 'sending', 'sent') ORDER BY id`,
        createdAt,
      ),
    listShownCards: () =>
      db.all<OutboxRow>(
        `${select} WHERE kind = 'card' AND place IS NOT NULL AND shown IS NULL AND state <> 'dropped' ORDER BY created_at, rowid`,
      ),
    findNextUnsent: (channel) =>
      db.get<OutboxRow>(
        `${select} WHERE channel = ? AND ${isOpen} AND state IN ('waiting', 'sending') ORDER BY kind, queued_at, rowid LIMIT 1`,
        channel,
      ),
    listUnsentNotices: (channel) =>
      db.all<OutboxRow>(
        `${select} WHERE channel = ? AND ${isOpen} AND state IN ('waiting', 'sending') AND kind = 'notice' ORDER BY queued_at, rowid`,
        channel,
      ),
    listHeld: () => db.all<OutboxRow>(`${select} WHERE ${isOpen} AND state = 'held' ORDER BY id`),
    findUnsentNotice: (channel, keyPrefix) =>
      db.get<OutboxRow>(
        `${select} WHERE channel = ?1 AND ${isOpen} AND state IN ('held', 'waiting') AND substr(key, 1, length(?2)) = ?2
         ORDER BY id DESC LIMIT 1`,
        channel,
        keyPrefix,
      ),
    hasSentSince: (channel, keyPrefix, notice, since) =>
      db.get(
        `SELECT 1 FROM outbox WHERE created_at >= ?4 AND channel = ?1 AND state = 'sent' AND notice = ?3
           AND substr(key, 1, length(?2)) = ?2`,
        channel,
        keyPrefix,
        notice,
        since,
      ) !== undefined,
    list: (limit, all) =>
      db.all<OutboxRow>(
        `${select} WHERE ${all ? "TRUE" : isOpen} ORDER BY created_at DESC, id DESC LIMIT ?`,
        limit,
      ),
    counts() {
      const rows = db.all<{ state: OutboxState; n: number }>(
        `SELECT state, count(*) AS n FROM outbox WHERE ${isOpen} GROUP BY state`,
      );
      const count = (state: OutboxState): number => rows.find((row) => row.state === state)?.n ?? 0;
      return { held: count("held"), waiting: count("waiting") + count("sending"), parked: count("parked") };
    },
    purge(before) {
      db.run("DELETE FROM outbox WHERE created_at < ? AND state IN ('sent', 'dropped')", before);
    },
  };
}
