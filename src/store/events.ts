import type { Database } from "./sqlite.ts";

export interface EventRow {
  id: string;
  event: string;
  sessionId: string;
  turnId: string | null;
  subagentId: string | null;
  toolName: string | null;
  toolUseId: string | null;
  payload: string;
  bytes: number;
  via: "hook" | "spool" | "api" | "transcript";
  occurredAt: number;
  storedAt: number;
}

export interface EventTable {
  insert(event: EventRow): void;
  byId(id: string): EventRow | undefined;
  /** The session that has this event already: the same id, or the same fact about the same tool use. */
  findKnown(id: string, event: string, sessionId: string, toolUseId: string | undefined): string | undefined;
  /** Did a hook, or the transcript before, tell how this tool use ended? */
  hasResult(sessionId: string, toolUseId: string): boolean;
  /** The files that a session's edits since then went to, each once. */
  filesEdited(sessionId: string, since: number): string[];
  ofSession(sessionId: string): EventRow[];
  total(): number;
}

const columns = `id, event, session_id AS sessionId, turn_id AS turnId, subagent_id AS subagentId, tool_name AS toolName,
  tool_use_id AS toolUseId, payload, bytes, via, occurred_at AS occurredAt, stored_at AS storedAt`;

export function openEventTable(db: Database, origin: string): EventTable {
  return {
    insert(e) {
      db.run(
        `INSERT INTO events (id, event, session_id, turn_id, subagent_id, tool_name, tool_use_id, payload, bytes, via,
           occurred_at, stored_at, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[
          e.id,
          e.event,
          e.sessionId,
          e.turnId,
          e.subagentId,
          e.toolName,
          e.toolUseId,
          e.payload,
          e.bytes,
          e.via,
        ],
        ...[e.occurredAt, e.storedAt, origin],
      );
    },
    byId: (id) => db.get<EventRow>(`SELECT ${columns} FROM events WHERE id = ?`, id),
    findKnown(id, event, sessionId, toolUseId) {
      const known = db.get<{ sessionId: string }>(
        "SELECT session_id AS sessionId FROM events WHERE id = ?",
        id,
      );
      if (known || toolUseId === undefined) return known?.sessionId;
      const sql = "SELECT 1 FROM events WHERE session_id = ? AND tool_use_id = ? AND event = ?";
      return db.get(sql, sessionId, toolUseId, event) && sessionId;
    },
    hasResult: (sessionId, toolUseId) =>
      db.get(
        "SELECT 1 FROM events WHERE session_id = ? AND tool_use_id = ? AND event IN ('PostToolUse', 'PostToolUseFailure')",
        sessionId,
        toolUseId,
      ) !== undefined,
    filesEdited: (sessionId, since) =>
      db
        .all<{ path: string | null }>(
          `SELECT DISTINCT coalesce(payload ->> '$.tool_input.file_path', payload ->> '$.tool_input.notebook_path') AS path
           FROM events WHERE session_id = ? AND occurred_at >= ? AND event = 'PostToolUse'
             AND tool_name IN ('Edit', 'MultiEdit', 'Write', 'NotebookEdit')`,
          sessionId,
          since,
        )
        .flatMap(({ path }) => path ?? []),
    ofSession: (sessionId) =>
      db.all<EventRow>(
        `SELECT ${columns} FROM events WHERE session_id = ? ORDER BY occurred_at, seq`,
        sessionId,
      ),
    // The rowid is never reused downwards, and counting a million rows would cost milliseconds per status.
    total: () => db.get<{ n: number }>("SELECT coalesce(max(seq), 0) AS n FROM events")?.n ?? 0,
  };
}
