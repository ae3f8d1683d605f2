import type { StoredEvent } from "../rules/event.ts";
import { eventColumns, eventSource, readEventRow } from "./event-log.ts";
import type { BatchedDatabase } from "./batched-database.ts";

interface SearchQuery {
  /** All of them must match. */
  words: ReadonlySet<string>;
  keys: readonly SearchKey[];
  rooms: readonly string[];
  order: "rank" | "recent";
  offset: number;
  limit: number;
}

export type SearchKey = "content.body" | "content.name" | "content.topic";

export interface FoundEvent {
  event: StoredEvent;
  rank: number;
}

/** Full-text search over messages, names and topics. The index is updated when a search runs, so that sending stays cheap. */
interface MessageSearch {
  find(query: SearchQuery): { hits: FoundEvent[]; count: number };
}

const columns: Record<SearchKey, string> = {
  "content.body": "body",
  "content.name": "name",
  "content.topic": "topic",
};

export function openMessageSearch(db: BatchedDatabase): MessageSearch {
  /** Indexes the events since the last search. */
  function updateIndex(): void {
    const key = "indexed";
    const from = Number(db.get<{ value: string }>("SELECT value FROM meta WHERE key = ?", key)?.value ?? 0);
    const to = db.position();
    if (to <= from) return;
    db.write(
      `INSERT INTO event_words (rowid, body, name, topic)
       SELECT stream, content ->> '$.body', content ->> '$.name', content ->> '$.topic' FROM events
       WHERE stream > ? AND stream <= ? AND redacted_by IS NULL AND type IN ('m.room.message', 'm.room.name', 'm.room.topic')`,
      from,
      to,
    );
    db.write("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", key, String(to));
    db.flush();
  }

  return {
    find({ words, keys, rooms, order, offset, limit }) {
      updateIndex();
      if (words.size === 0 || rooms.length === 0) return { hits: [], count: 0 };
      const match = `{${keys.map((key) => columns[key]).join(" ")}} : (${Array.from(words, (word) => `"${word}"`).join(" AND ")})`;
      const inRooms = `e.room IN (SELECT n FROM rooms WHERE id IN (SELECT value FROM json_each(?)))`;
      const values = [match, JSON.stringify(rooms)];
      const where = `event_words MATCH ? AND e.redacted_by IS NULL AND ${inRooms}`;
      const rows = db.all<Parameters<typeof readEventRow>[0] & { rank: number }>(
        `SELECT ${eventColumns}, -w.rank AS rank FROM event_words w JOIN ${eventSource} WHERE e.stream = w.rowid AND ${where}
         ORDER BY ${order === "rank" ? "w.rank, e.stream" : "e.stream DESC"} LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      );
      const count =
        db.get<{ n: number }>(
          `SELECT count(*) AS n FROM event_words w JOIN events e ON e.stream = w.rowid WHERE ${where}`,
          ...values,
        )?.n ?? 0;
      return { hits: rows.map((row) => ({ event: readEventRow(row), rank: row.rank })), count };
    },
  };
}
