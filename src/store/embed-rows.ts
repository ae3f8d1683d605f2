import type { Vector } from "../domain/memory/vector/vector.ts";
import type { Embedder } from "./embedder.ts";
import type { MemoryKind } from "./memory-index.ts";
import { type RowText, readText, searchedText } from "./memory-text.ts";
import type { Database } from "../sqlite/sqlite.ts";
import type { VectorBatch } from "./vector-table.ts";

export function embedText(embedder: Embedder, text: RowText): Vector | undefined {
  return embedder.embed(`${text.title}\n${searchedText(text)}`);
}

/**
 * Vectors of the next rows that the embedder's model has not processed, in row order; undefined when none are left. A
 * new model starts at the first row and replaces the vectors of the previous one.
 */
export function embedRows(db: Database, embedder: Embedder, limit: number): VectorBatch | undefined {
  const rows = db.all<{ row: number; kind: MemoryKind; ref: string }>(
    `SELECT rowid AS row, kind, ref FROM memory_rows
     WHERE rowid > coalesce((SELECT progress FROM vector_models WHERE name = ?), 0) ORDER BY rowid LIMIT ?`,
    embedder.model,
    limit,
  );
  const last = rows.at(-1);
  if (!last) return undefined;
  return {
    model: { name: embedder.model, dimensions: embedder.dimensions },
    vectors: rows.flatMap((one) => {
      const vector = embedText(embedder, readText(db, one));
      return vector ? [{ row: one.row, vector }] : [];
    }),
    upTo: last.row,
    isLast: rows.length < limit,
  };
}
