import { statSync } from "node:fs";
import { type Database, openDatabase } from "../sqlite/sqlite.ts";

/** A session in the database of a host. */
interface DatabaseSession {
  sessionId: string;
  cwd: string | null;
  title: string | null;
  /** Bytes of its messages. */
  size: number;
  /** When it was last changed, epoch ms. */
  mtime: number;
}

/** Reads the sessions of a host that keeps them in SQLite. Read-only: the host may be running. */
interface SessionDatabase {
  /** The person's sessions, without those of subagents. */
  list(db: Database): DatabaseSession[];
  /** The messages of a session as lines of JSON, oldest first. */
  lines(db: Database, sessionId: string): Generator<string>;
}

const pageSize = 100;

const opencode: SessionDatabase = {
  list: (db) =>
    db.all<Record<"sessionId" | "cwd" | "title", string> & Record<"size" | "mtime", number>>(
      `SELECT s.id AS sessionId, s.directory AS cwd, s.title, s.time_updated AS mtime,
        coalesce((SELECT sum(length(data)) FROM message WHERE session_id = s.id), 0) +
        coalesce((SELECT sum(length(data)) FROM part WHERE session_id = s.id), 0) AS size
       FROM session s WHERE s.parent_id IS NULL`,
    ),
  *lines(db, sessionId) {
    const about = db.get<{ directory: string; version: string }>(
      "SELECT directory, version FROM session WHERE id = ?",
      sessionId,
    );
    for (let after = { at: -1, id: "" }; ; ) {
      const messages = db.all<{ id: string; at: number; data: string }>(
        `SELECT id, time_created AS at, data FROM message
         WHERE session_id = ? AND (time_created, id) > (?, ?) ORDER BY time_created, id LIMIT ${pageSize}`,
        sessionId,
        after.at,
        after.id,
      );
      for (const message of messages) {
        const parts = db.all<{ data: string }>(
          "SELECT data FROM part WHERE message_id = ? ORDER BY id",
          message.id,
        );
        const head = JSON.stringify({ id: message.id, sessionID: sessionId, ...about });
        // The rows contain JSON, so the line is put together without parsing it.
        yield `${head.slice(0, -1)},"data":${message.data},"parts":[${parts.map(({ data }) => data).join(",")}]}`;
      }
      const last = messages.at(-1);
      if (!last || messages.length < pageSize) return;
      after = last;
    }
  },
};

const formats = { opencode } as const;

export type DatabaseFormat = keyof typeof formats;

/** Empty if there is no such database, or not in a format that we know. */
export function listDatabaseSessions(path: string, format: DatabaseFormat): DatabaseSession[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
  const db = openDatabase(path, { readOnly: true });
  try {
    return formats[format].list(db);
  } catch {
    return []; // Another version of the host: its tables have other names.
  } finally {
    db.close();
  }
}

export function* readDatabaseSession(
  path: string,
  format: DatabaseFormat,
  sessionId: string,
): Generator<string> {
  const db = openDatabase(path, { readOnly: true });
  try {
    yield* formats[format].lines(db, sessionId);
  } finally {
    db.close();
  }
}
