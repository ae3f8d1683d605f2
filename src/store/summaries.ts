import type { TurnSummary } from "../domain/memory/turn-record.ts";
import type { Database } from "./sqlite.ts";

export interface Summary extends TurnSummary {
  id: string;
  projectId: string;
  sessionId: string;
  turnId: string | null;
  provenance: string;
  createdAt: number;
}

export interface SummaryTable {
  /** One per turn: a later one replaces it. */
  put(summary: Summary): void;
  byId(id: string): Summary | undefined;
  ofTurn(turnId: string): Summary | undefined;
  ofSession(sessionId: string): Summary[];
  recent(projectIds: readonly string[] | undefined, limit: number, from?: number): Summary[];
}

const columns = `id, project_id AS projectId, session_id AS sessionId, turn_id AS turnId, request, investigated, learned,
  completed, next_steps AS nextSteps, notes, files_read AS filesRead, files_modified AS filesModified, provenance,
  created_at AS createdAt`;

export function openSummaryTable(db: Database, origin: string): SummaryTable {
  const select = `SELECT ${columns} FROM summaries`;
  const many = (sql: string, ...values: (string | number)[]): Summary[] =>
    db.all(sql, ...values).map(fromRow);
  return {
    put(s) {
      db.run(
        `INSERT OR REPLACE INTO summaries (id, project_id, session_id, turn_id, request, investigated, learned, completed, next_steps,
           notes, files_read, files_modified, provenance, created_at, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        s.id,
        s.projectId,
        s.sessionId,
        s.turnId,
        s.request,
        s.investigated,
        s.learned,
        s.completed,
        s.nextSteps,
        s.notes,
        JSON.stringify(s.filesRead),
        JSON.stringify(s.filesModified),
        s.provenance,
        s.createdAt,
        origin,
      );
    },
    byId: (id) => many(`${select} WHERE id = ?`, id)[0],
    ofTurn: (turnId) => many(`${select} WHERE turn_id = ?`, turnId)[0],
    ofSession: (sessionId) => many(`${select} WHERE session_id = ? ORDER BY created_at`, sessionId),
    recent(projectIds, limit, from = 0) {
      const where = projectIds ? `AND project_id IN (${projectIds.map(() => "?").join(", ")})` : "";
      return many(
        `${select} WHERE created_at >= ? ${where} ORDER BY created_at DESC LIMIT ?`,
        from,
        ...(projectIds ?? []),
        limit,
      );
    },
  };
}

function fromRow(row: Record<string, unknown>): Summary {
  const files = {
    filesRead: JSON.parse(String(row.filesRead)),
    filesModified: JSON.parse(String(row.filesModified)),
  };
  return { ...row, ...files } as unknown as Summary;
}
