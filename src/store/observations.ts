import type { Distilled } from "../domain/memory/turn-record.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";

export interface Observation extends Omit<Distilled, "provenance"> {
  id: string;
  projectId: string;
  worktree: string | null;
  sessionId: string | null;
  turnId: string | null;
  promptNumber: number | null;
  tokens: number;
  provenance: string;
  hash: string;
  createdAt: number;
  updatedAt: number;
  /** The newer note that took its place, and why. */
  supersededBy: string | null;
  supersededBecause: string | null;
}

export interface ObservationTable {
  /** False if the project has the same thing already. */
  insert(observation: Observation): boolean;
  update(observation: Observation): void;
  /** What it had replaced holds again. */
  remove(id: string): void;
  byId(id: string): Observation | undefined;
  /** The note of a project that says exactly this. */
  byHash(projectId: string, hash: string): Observation | undefined;
  /** Ids as people type them: whole, or enough of the end to be one only. */
  byShortId(tail: string): Observation[];
  /** A newer one takes its place, or (null) it holds again. */
  supersede(id: string, by: string | null, because: string | null, at: number): void;
  /** Those whose place this one took. */
  supersededBy(id: string): Observation[];
  /** By these numbers others that speak of the same thing find it. */
  putClaims(id: string, claims: readonly number[]): void;
  /** Those that hold and have one of these numbers, newest first of each. */
  byClaims(claims: readonly number[], limit: number): Observation[];
  /** Newest first; only what holds. */
  current(projectId: string, limit: number): Observation[];
  /** Newest first; of these projects, or of all. */
  recent(projectIds: readonly string[] | undefined, limit: number): Observation[];
  ofTurn(turnId: string): Observation[];
  /** The last notes of a session that hold, newest first. */
  ofSession(sessionId: string, limit: number): Observation[];
  ofFile(projectIds: readonly string[], path: string, limit: number): Observation[];
  /** The project's notes just before and just after one. */
  around(at: Observation, count: number): { before: Observation[]; after: Observation[] };
  countOfSession(sessionId: string): number;
  total(): number;
  countOfProject(projectId: string): number;
}

type Row = Record<string, unknown>;

const columns = `o.id, o.project_id AS projectId, o.worktree, o.session_id AS sessionId, o.turn_id AS turnId,
  o.prompt_number AS promptNumber, o.type, o.title, o.narrative, o.facts, o.concepts, o.files_read AS filesRead,
  o.files_modified AS filesModified, o.source_events AS sourceEvents, o.tokens, o.provenance, o.hash,
  o.created_at AS createdAt, o.updated_at AS updatedAt, o.superseded_by AS supersededBy,
  o.superseded_because AS supersededBecause`;
const lists = ["facts", "concepts", "filesRead", "filesModified", "sourceEvents"] as const;

export function openObservationTable(db: Database, origin: string): ObservationTable {
  const select = `SELECT ${columns} FROM observations o`;
  const one = (sql: string, ...values: string[]): Observation | undefined => {
    const row = db.get<Row>(sql, ...values);
    return row && fromRow(row);
  };
  const many = (sql: string, ...values: (string | number)[]): Observation[] =>
    db.all<Row>(sql, ...values).map(fromRow);

  return {
    insert(o) {
      return (
        db.run(
          `INSERT INTO observations (id, project_id, worktree, session_id, turn_id, prompt_number, type, title, narrative, facts,
             concepts, files_read, files_modified, source_events, tokens, provenance, hash, created_at, updated_at, origin)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, hash) DO NOTHING`,
          o.id,
          o.projectId,
          o.worktree,
          o.sessionId,
          o.turnId,
          o.promptNumber,
          o.type,
          o.title,
          o.narrative,
          ...lists.map((list) => JSON.stringify(o[list])),
          o.tokens,
          o.provenance,
          o.hash,
          o.createdAt,
          o.updatedAt,
          origin,
        ).changes === 1
      );
    },
    update(o) {
      db.run(
        `UPDATE observations SET type = ?, title = ?, narrative = ?, facts = ?, concepts = ?, files_read = ?, files_modified = ?,
           source_events = ?, tokens = ?, hash = ?, updated_at = ? WHERE id = ?`,
        o.type,
        o.title,
        o.narrative,
        ...lists.map((list) => JSON.stringify(o[list])),
        o.tokens,
        o.hash,
        o.updatedAt,
        o.id,
      );
    },
    remove: (id) => removeObservation(db, id),
    byId: (id) => one(`${select} WHERE o.id = ?`, id),
    byHash: (projectId, hash) => one(`${select} WHERE o.project_id = ? AND o.hash = ?`, projectId, hash),
    byShortId: (tail) => many(`${select} WHERE substr(o.id, -length(?1)) = ?1 LIMIT 3`, tail.toLowerCase()),
    supersede(id, by, because, at) {
      db.run(
        "UPDATE observations SET superseded_by = ?, superseded_because = ?, superseded_at = ? WHERE id = ?",
        by,
        because,
        by === null ? null : at,
        id,
      );
    },
    supersededBy: (id) => many(`${select} WHERE o.superseded_by = ?`, id),
    putClaims(id, claims) {
      db.run("DELETE FROM observation_claims WHERE observation_id = ?", id);
      for (const claim of claims)
        db.run("INSERT OR IGNORE INTO observation_claims (claim, observation_id) VALUES (?, ?)", claim, id);
    },
    byClaims: (claims, limit) =>
      claims.flatMap((claim) =>
        // Ids begin with their time: the key gives the newest without looking at the rest.
        many(
          `${select} JOIN observation_claims c ON c.observation_id = o.id WHERE c.claim = ? AND o.superseded_by IS NULL
           ORDER BY c.observation_id DESC LIMIT ?`,
          claim,
          limit,
        ),
      ),
    current: (projectId, limit) =>
      many(
        `${select} WHERE o.project_id = ? AND o.superseded_by IS NULL ORDER BY o.created_at DESC, o.id DESC LIMIT ?`,
        projectId,
        limit,
      ),
    recent(projectIds, limit) {
      const where = projectIds ? `WHERE o.project_id IN (${projectIds.map(() => "?").join(", ")})` : "";
      return many(
        `${select} ${where} ORDER BY o.created_at DESC, o.id DESC LIMIT ?`,
        ...(projectIds ?? []),
        limit,
      );
    },
    ofSession: (sessionId, limit) =>
      many(
        `${select} WHERE o.session_id = ? AND o.superseded_by IS NULL ORDER BY o.created_at DESC, o.id DESC LIMIT ?`,
        sessionId,
        limit,
      ),
    ofTurn: (turnId) => many(`${select} WHERE o.turn_id = ? ORDER BY o.created_at, o.id`, turnId),
    ofFile(projectIds, path, limit) {
      return many(
        `${select} JOIN memory_rows r ON r.kind = 'observation' AND r.ref = o.id JOIN memory_files f ON f.row = r.rowid
         WHERE f.path = ? AND o.project_id IN (${projectIds.map(() => "?").join(", ")}) ORDER BY o.created_at DESC LIMIT ?`,
        path,
        ...projectIds,
        limit,
      );
    },
    around({ projectId, createdAt, id }, count) {
      const position = "o.project_id = ? AND (o.created_at, o.id)";
      const before = many(
        `${select} WHERE ${position} < (?, ?) ORDER BY o.created_at DESC, o.id DESC LIMIT ?`,
        projectId,
        createdAt,
        id,
        count,
      );
      const after = many(
        `${select} WHERE ${position} > (?, ?) ORDER BY o.created_at, o.id LIMIT ?`,
        projectId,
        createdAt,
        id,
        count,
      );
      return { before: before.toReversed(), after };
    },
    countOfProject: (projectId) =>
      db.get<{ n: number }>("SELECT count(*) AS n FROM observations WHERE project_id = ?", projectId)?.n ?? 0,
    total: () => db.get<{ n: number }>("SELECT count(*) AS n FROM observations")?.n ?? 0,
    countOfSession: (sessionId) =>
      db.get<{ n: number }>("SELECT count(*) AS n FROM observations WHERE session_id = ?", sessionId)?.n ?? 0,
  };
}

function fromRow(row: Row): Observation {
  const parsed = Object.fromEntries(lists.map((list) => [list, parseJson(String(row[list]))]));
  return { ...row, ...parsed } as unknown as Observation;
}

export function removeObservation(db: Database, id: string): void {
  db.run(
    "UPDATE observations SET superseded_by = NULL, superseded_at = NULL, superseded_because = NULL WHERE superseded_by = ?",
    id,
  );
  db.run("DELETE FROM observations WHERE id = ?", id);
}
