import type { Database } from "./sqlite.ts";

export interface InjectionRow {
  sessionId: string;
  kind: string;
  ref: string;
  point: string;
  reason: string;
  score: number | null;
  tokens: number;
  eventId: string;
  at: number;
}

export interface InjectionTable {
  put(injection: InjectionRow): void;
  /** Was it put before this session already, at whatever point? */
  wasShown(sessionId: string, kind: string, ref: string): boolean;
  /** Was it put before this session in full? The index at its start only names things. */
  wasToldInFull(sessionId: string, ref: string): boolean;
  ofSession(sessionId: string): InjectionRow[];
}

export function openInjectionTable(db: Database): InjectionTable {
  return {
    put(i) {
      db.run(
        `INSERT OR REPLACE INTO injections (session_id, kind, ref, point, reason, score, tokens, event_id, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        i.sessionId,
        i.kind,
        i.ref,
        i.point,
        i.reason,
        i.score,
        i.tokens,
        i.eventId,
        i.at,
      );
    },
    wasShown: (sessionId, kind, ref) =>
      db.get(
        "SELECT 1 FROM injections WHERE session_id = ? AND kind = ? AND ref = ?",
        sessionId,
        kind,
        ref,
      ) !== undefined,
    wasToldInFull: (sessionId, ref) =>
      db.get(
        "SELECT 1 FROM injections WHERE session_id = ? AND kind IN ('observation', 'summary') AND ref = ? AND point <> 'SessionStart'",
        sessionId,
        ref,
      ) !== undefined,
    ofSession: (sessionId) =>
      db.all<InjectionRow>(
        `SELECT session_id AS sessionId, kind, ref, point, reason, score, tokens, event_id AS eventId, at FROM injections
         WHERE session_id = ? ORDER BY at, ref`,
        sessionId,
      ),
  };
}
