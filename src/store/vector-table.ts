import type { Vector } from "../domain/memory/vector/vector.ts";
import type { Database } from "../sqlite/sqlite.ts";

export interface VectorModel {
  name: string;
  dimensions: number;
}

/** Vectors of consecutive rows, and the last row that was processed. */
export interface VectorBatch {
  model: VectorModel;
  vectors: { row: number; vector: Vector }[];
  upTo: number;
  /** Whether these were all rows that there were. */
  isLast: boolean;
}

/** Which rows have a vector of which model. Workers compute vectors; only the main thread writes them. */
export interface VectorTable {
  put(batch: VectorBatch): void;
  /** Whether there are rows that the model has not processed. */
  isBehind(model: string): boolean;
}

export function openVectorTable(db: Database): VectorTable {
  return {
    put({ model, vectors, upTo }) {
      const id = putModel(db, model, upTo);
      for (const one of vectors) writeVector(db, "memory_vectors", id, one);
    },
    isBehind: (model) =>
      db.get(
        "SELECT 1 FROM memory_rows WHERE rowid > coalesce((SELECT progress FROM vector_models WHERE name = ?), 0) LIMIT 1",
        model,
      ) !== undefined,
  };
}

/** Returns the model's id. If `progress` is omitted, the stored value is kept. */
export function putModel(db: Database, { name, dimensions }: VectorModel, progress?: number): number {
  db.run(
    `INSERT INTO vector_models (name, dimensions, progress) VALUES (?1, ?2, coalesce(?3, 0))
     ON CONFLICT (name) DO UPDATE SET progress = coalesce(?3, progress)`,
    name,
    dimensions,
    progress ?? null,
  );
  return db.get<{ id: number }>("SELECT id FROM vector_models WHERE name = ?", name)?.id as number;
}

/** Writes nothing if the row was forgotten while its vector was computed. Returns the number of rows written. */
export function writeVector(
  db: Database,
  table: "memory_vectors" | "memory_embeddings",
  modelId: number,
  { row, vector }: { row: number; vector: Vector },
): number {
  const sql = `INSERT OR REPLACE INTO ${table} (row, model, vector) SELECT rowid, ?2, ?3 FROM memory_rows WHERE rowid = ?1`;
  return db.run(sql, row, modelId, new Uint8Array(vector.buffer, vector.byteOffset, vector.length)).changes;
}
