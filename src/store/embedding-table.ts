import type { Vector } from "../domain/memory/vector/vector.ts";
import type { Database } from "../sqlite/sqlite.ts";
import type { MemoryKind } from "./memory-index.ts";
import { readText, searchedText } from "./memory-text.ts";
import { putModel, type VectorModel, writeVector } from "./vector-table.ts";

/** Vectors of the endpoint that the user set up, one per row. Only the main thread writes them. */
export interface EmbeddingTable {
  /** Skips rows that were forgotten while their vectors were computed. Returns the number of rows written. */
  put(model: VectorModel, vectors: readonly { row: number; vector: Vector }[]): number;
  /** Rows of these projects, and how many of them have a vector of this model. */
  count(model: string, projectIds: readonly string[]): { rows: number; embedded: number };
}

export function openEmbeddingTable(db: Database): EmbeddingTable {
  return {
    put(model, vectors) {
      const id = putModel(db, model);
      return vectors.reduce((sum, one) => sum + writeVector(db, "memory_embeddings", id, one), 0);
    },
    count: (model, projectIds) =>
      db.get<{ rows: number; embedded: number }>(
        `SELECT count(*) AS rows, count(e.row) AS embedded FROM memory_rows r
         LEFT JOIN memory_embeddings e ON e.model = (SELECT id FROM vector_models WHERE name = ?) AND e.row = r.rowid
         WHERE r.project_id IN (SELECT value FROM json_each(?))`,
        model,
        JSON.stringify(projectIds),
      ) ?? { rows: 0, embedded: 0 },
  };
}

export interface PendingJob {
  model: string;
  /** The projects whose texts may be sent. */
  projectIds: readonly string[];
  /** Rows up to this one are done. */
  after: number;
  limit: number;
  /** Rows that the endpoint rejected. */
  skipped: readonly number[];
}

/** Texts of one project, so that the ledger can name it. */
export interface PendingRows {
  projectId: string;
  rows: { row: number; text: string }[];
}

/** Characters per text: most embedding models read about 500 tokens. */
const maxText = 2_000;

/** The next rows without a vector of this model, in row order; undefined when none are left. */
export function listPending(db: Database, job: PendingJob): PendingRows | undefined {
  const { model, projectIds, after, limit, skipped } = job;
  const select = (projects: readonly string[], from: number, count: number): PendingRow[] =>
    db.all<PendingRow>(
      `SELECT r.rowid AS row, r.kind, r.ref, r.project_id AS projectId FROM memory_rows r
       WHERE r.rowid > ?1 AND r.project_id IN (SELECT value FROM json_each(?2))
         AND r.rowid NOT IN (SELECT value FROM json_each(?3))
         AND NOT EXISTS (SELECT 1 FROM memory_embeddings e
           WHERE e.model = (SELECT id FROM vector_models WHERE name = ?4) AND e.row = r.rowid)
       ORDER BY r.rowid LIMIT ?5`,
      from,
      JSON.stringify(projects),
      JSON.stringify(skipped),
      model,
      count,
    );
  const [first] = select(projectIds, after, 1);
  if (!first) return undefined;
  const rows = select([first.projectId], first.row - 1, limit);
  return {
    projectId: first.projectId,
    rows: rows.map((one) => {
      const text = readText(db, one);
      return { row: one.row, text: `${text.title}\n${searchedText(text)}`.trim().slice(0, maxText) };
    }),
  };
}

interface PendingRow {
  row: number;
  kind: MemoryKind;
  ref: string;
  projectId: string;
}
