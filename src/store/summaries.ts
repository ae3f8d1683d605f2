import type { TurnSummary } from "../domain/memory/turn-record.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";
import { openRowTable } from "./row-table.ts";

export interface Summary extends TurnSummary {
  id: string;
  projectId: string;
  sessionId: string;
  turnId: string | null;
  provenance: string;
  createdAt: number;
}

/** Provenance of a summary of a session; its `turnId` is null. */
export const sessionProvenance = "session";

export interface SummaryTable {
  /** One per turn and one per session: a later one replaces the earlier one. */
  put(summary: Summary): void;
  remove(id: string): void;
  byId(id: string): Summary | undefined;
  ofTurn(turnId: string): Summary | undefined;
  ofSession(sessionId: string): Summary[];
  /** Summaries of the turns of a session, oldest first. */
  ofTurns(sessionId: string): Summary[];
  ofWholeSession(sessionId: string): Summary | undefined;
  /** Summaries of turns, newest first. */
  recent(projectIds: readonly string[] | undefined, limit: number, from?: number): Summary[];
  /** Summaries of sessions, newest first: our own and imported ones. */
  recentSessions(projectId: string, limit: number): Summary[];
  /** Summaries of sessions with open ends, newest first. */
  listWithOpenEnds(projectId: string, limit: number): Summary[];
  /** Sessions with a turn newer than their summary, newest first. */
  listStaleSessions(): string[];
}

const columns = `id, project_id, session_id, turn_id, request, investigated, learned, completed, next_steps, notes, files_read,
  files_modified, provenance, created_at`;
const isOfSession = `turn_id IS NULL AND provenance = '${sessionProvenance}'`;

export function openSummaryTable(db: Database, origin: string): SummaryTable {
  const table = openRowTable<Summary>(db, "summaries", columns);
  const { select } = table;
  const many = (sql: string, ...values: (string | number)[]): Summary[] =>
    db.all(sql, ...values).map(fromRow);
  return {
    put(s) {
      // Only if there is one to replace: REPLACE on a table with a foreign key opens a savepoint, at which the word index
      // writes what it has gathered so far, instead of once per transaction.
      const known = db.get(
        `SELECT 1 FROM summaries WHERE id = ? OR turn_id = ? OR (session_id = ? AND ${isOfSession}) LIMIT 1`,
        s.id,
        s.turnId,
        s.sessionId,
      );
      if (known) table.replace(s, { origin });
      else table.insert(s, { origin });
    },
    remove(id) {
      db.run("DELETE FROM summaries WHERE id = ?", id);
    },
    byId: (id) => many(`${select} WHERE id = ?`, id)[0],
    ofTurn: (turnId) => many(`${select} WHERE turn_id = ?`, turnId)[0],
    ofSession: (sessionId) => many(`${select} WHERE session_id = ? ORDER BY created_at`, sessionId),
    ofTurns: (sessionId) =>
      many(`${select} WHERE session_id = ? AND turn_id IS NOT NULL ORDER BY created_at`, sessionId),
    ofWholeSession: (sessionId) => many(`${select} WHERE session_id = ? AND ${isOfSession}`, sessionId)[0],
    recentSessions: (projectId, limit) =>
      many(
        `${select} WHERE project_id = ? AND turn_id IS NULL ORDER BY created_at DESC LIMIT ?`,
        projectId,
        limit,
      ),
    listWithOpenEnds: (projectId, limit) =>
      many(
        `${select} WHERE project_id = ? AND ${isOfSession} AND next_steps <> '' ORDER BY created_at DESC LIMIT ?`,
        projectId,
        limit,
      ),
    listStaleSessions: () =>
      db
        .all<{ id: string }>(
          `SELECT t.id FROM (SELECT session_id AS id, max(created_at) AS at FROM summaries WHERE turn_id IS NOT NULL GROUP BY session_id) t
           JOIN sessions s ON s.id = t.id WHERE NOT EXISTS (SELECT 1 FROM summaries w
             WHERE w.session_id = t.id AND w.turn_id IS NULL AND w.provenance = '${sessionProvenance}' AND w.created_at >= t.at)
           ORDER BY t.at DESC`,
        )
        .map(({ id }) => id),
    recent(projectIds, limit, from = 0) {
      const where = projectIds ? `AND project_id IN (${projectIds.map(() => "?").join(", ")})` : "";
      return many(
        `${select} WHERE created_at >= ? AND NOT (${isOfSession}) ${where} ORDER BY created_at DESC LIMIT ?`,
        from,
        ...(projectIds ?? []),
        limit,
      );
    },
  };
}

function fromRow(row: Record<string, unknown>): Summary {
  const files = {
    filesRead: parseJson(String(row.filesRead)),
    filesModified: parseJson(String(row.filesModified)),
  };
  return { ...row, ...files } as unknown as Summary;
}
