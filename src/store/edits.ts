import type { Database } from "../sqlite/sqlite.ts";

/** A file edit made by a tool, without its payload. */
export interface Edit {
  seq: number;
  turnId: string | null;
  sessionId: string;
  subagentId: string | null;
  tool: string;
  at: number;
  path: string | null;
}

/** The sessions of these projects, latest first. */
export function readSessionsOf(
  db: Database,
  projects: readonly string[],
): { id: string; host: string; lastEventAt: number }[] {
  return db.all(
    `SELECT id, host, last_event_at AS lastEventAt FROM sessions WHERE project IN (${marks(projects)})
     ORDER BY last_event_at DESC`,
    ...projects,
  );
}

/** Edits of files with this name in their path, latest first. */
export function readEdits(db: Database, sessionId: string, fileName: string): Edit[] {
  return db.all<Edit>(
    `SELECT seq, turn_id AS turnId, session_id AS sessionId, subagent_id AS subagentId, tool_name AS tool, occurred_at AS at,
       file_path AS path
     FROM events WHERE session_id = ? AND tool_kind = 'edit' AND event = 'tool.after' AND instr(file_path, ?) > 0 ORDER BY occurred_at DESC, seq DESC`,
    sessionId,
    fileName,
  );
}

/** The files that a session edited. */
export function readEditCounts(
  db: Database,
  sessionId: string,
): { path: string; edits: number; lastAt: number }[] {
  return db.all(
    `SELECT file_path AS path, count(*) AS edits, max(occurred_at) AS lastAt FROM events
     WHERE session_id = ? AND tool_kind = 'edit' AND event = 'tool.after' AND file_path IS NOT NULL GROUP BY path`,
    sessionId,
  );
}

/** The payload of an event, as JSON. */
export function readPayload(db: Database, seq: number): string {
  return db.get<{ payload: string }>("SELECT payload FROM events WHERE seq = ?", seq)?.payload ?? "{}";
}

function marks(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}
