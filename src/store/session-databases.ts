import { statSync } from "node:fs";
import type { SessionTables } from "../domain/transcript/session-tables.ts";
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

const pageSize = 100;

/** The person's sessions, without those of subagents. Empty if there is no such database, or if it has other tables. */
export function listDatabaseSessions(path: string, tables: SessionTables): DatabaseSession[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
  const { sessions, messages, parts } = tables;
  const db = openDatabase(path, { readOnly: true }); // The host may be running.
  try {
    return db.all<Record<"sessionId" | "cwd" | "title", string> & Record<"size" | "mtime", number>>(
      `SELECT s.${sessions.id} AS sessionId, s.${sessions.folder} AS cwd, s.${sessions.title} AS title,
        s.${sessions.updatedAt} AS mtime,
        coalesce((SELECT sum(octet_length(${messages.json})) FROM ${messages.table}
          WHERE ${messages.sessionId} = s.${sessions.id}), 0) +
        coalesce((SELECT sum(octet_length(${parts.json})) FROM ${parts.table}
          WHERE ${parts.sessionId} = s.${sessions.id}), 0) AS size
       FROM ${sessions.table} s WHERE s.${sessions.parentId} IS NULL`,
    );
  } catch {
    return []; // Another version of the host: its tables have other names.
  } finally {
    db.close();
  }
}

/** The messages of a session as lines of JSON, oldest first: `{id, sessionId, folder, version, data, parts}`. */
export function* readDatabaseSession(
  path: string,
  tables: SessionTables,
  sessionId: string,
): Generator<string> {
  const db = openDatabase(path, { readOnly: true });
  try {
    yield* readLines(db, tables, sessionId);
  } finally {
    db.close();
  }
}

function* readLines(
  db: Database,
  { sessions, messages, parts }: SessionTables,
  sessionId: string,
): Generator<string> {
  const about = db.get<{ folder: string; version: string }>(
    `SELECT ${sessions.folder} AS folder, ${sessions.version} AS version FROM ${sessions.table}
     WHERE ${sessions.id} = ?`,
    sessionId,
  );
  for (let after = { at: -1, id: "" }; ; ) {
    const page = db.all<{ id: string; at: number; data: string }>(
      `SELECT ${messages.id} AS id, ${messages.createdAt} AS at, ${messages.json} AS data FROM ${messages.table}
       WHERE ${messages.sessionId} = ? AND (${messages.createdAt}, ${messages.id}) > (?, ?)
       ORDER BY ${messages.createdAt}, ${messages.id} LIMIT ${pageSize}`,
      sessionId,
      after.at,
      after.id,
    );
    for (const message of page) {
      const rows = db.all<{ data: string }>(
        `SELECT ${parts.json} AS data FROM ${parts.table} WHERE ${parts.messageId} = ? ORDER BY ${parts.id}`,
        message.id,
      );
      const head = JSON.stringify({ id: message.id, sessionId, ...about });
      // The rows contain JSON, so the line is put together without parsing it.
      yield `${head.slice(0, -1)},"data":${message.data},"parts":[${rows.map(({ data }) => data).join(",")}]}`;
    }
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last;
  }
}
