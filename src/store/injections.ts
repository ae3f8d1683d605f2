import type { Database } from "../sqlite/sqlite.ts";
import { openRowTable } from "./row-table.ts";

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
  /** Whether this session was already given the document, at any injection point. */
  wasShown(sessionId: string, kind: string, ref: string): boolean;
  /**
   * Whether this session was given its full text. The index at session start, and the last rows at a prompt, only have
   * titles.
   */
  wasShownInFull(sessionId: string, ref: string): boolean;
  /** Number of sessions that were given it for a prompt or a file. */
  countUses(ref: string): number;
  /** When a session was last given its start context; 0 for never. */
  lastStart(sessionId: string): number;
  ofSession(sessionId: string): InjectionRow[];
}

/** The point of a note that a prompt recalls by its title only. */
export const promptTitles = "prompt.titles";
const byTitle = `('session.started', '${promptTitles}')`;

export function openInjectionTable(db: Database): InjectionTable {
  const columns = "session_id, kind, ref, point, reason, score, tokens, event_id, at";
  const table = openRowTable<InjectionRow>(db, "injections", columns);
  return {
    put(injection) {
      table.replace(injection);
    },
    wasShown: (sessionId, kind, ref) =>
      db.get(
        "SELECT 1 FROM injections WHERE session_id = ? AND kind = ? AND ref = ?",
        sessionId,
        kind,
        ref,
      ) !== undefined,
    wasShownInFull: (sessionId, ref) =>
      db.get(
        `SELECT 1 FROM injections WHERE session_id = ? AND kind IN ('observation', 'summary', 'prompt') AND ref = ? AND point NOT IN ${byTitle}`,
        sessionId,
        ref,
      ) !== undefined,
    countUses: (ref) =>
      db.get<{ n: number }>(
        `SELECT count(DISTINCT session_id) AS n FROM injections
         WHERE kind = 'observation' AND ref = ? AND point NOT IN ${byTitle}`,
        ref,
      )?.n ?? 0,
    lastStart: (sessionId) =>
      db.get<{ at: number }>(
        "SELECT coalesce(max(at), 0) AS at FROM injections WHERE session_id = ? AND point = 'session.started'",
        sessionId,
      )?.at ?? 0,
    ofSession: (sessionId) =>
      db.all<InjectionRow>(
        `SELECT session_id AS sessionId, kind, ref, point, reason, score, tokens, event_id AS eventId, at FROM injections
         WHERE session_id = ? ORDER BY at, ref`,
        sessionId,
      ),
  };
}
