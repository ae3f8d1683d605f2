import { splitIdentifiers } from "../domain/memory/words.ts";
import type { Database } from "./sqlite.ts";

export type MemoryKind = "observation" | "summary" | "prompt";

export interface IndexEntry {
  kind: MemoryKind;
  ref: string;
  projectId: string;
  sessionId: string | null;
  type: string | null;
  createdAt: number;
  title: string;
  body: string;
  files: readonly string[];
}

/** The writing side of search: what is put in here can be found when the transaction is committed. */
export interface MemoryIndex {
  /** Adds or replaces. */
  put(entry: IndexEntry): void;
  remove(kind: MemoryKind, ref: string): void;
  /** By these numbers, others that may say the same find it. It must have been put in before. */
  putSketches(kind: MemoryKind, ref: string, sketches: readonly number[]): void;
  /** Of each sketch, the newest that share it. */
  refsBySketch(sketches: readonly number[], limit: number): string[];
}

/** A long text is found by its beginning and end; its middle would only dilute the ranking. */
const mostBody = 20_000;

export function openMemoryIndex(db: Database): MemoryIndex {
  function rowOf(kind: MemoryKind, ref: string): number | undefined {
    return db.get<{ rowid: number }>("SELECT rowid FROM memory_rows WHERE kind = ? AND ref = ?", kind, ref)
      ?.rowid;
  }

  function remove(kind: MemoryKind, ref: string): void {
    const row = rowOf(kind, ref);
    if (row === undefined) return;
    db.run("DELETE FROM memory_fts WHERE rowid = ?", row);
    db.run("DELETE FROM memory_rows WHERE rowid = ?", row);
  }

  return {
    put(entry) {
      remove(entry.kind, entry.ref);
      db.run(
        "INSERT INTO memory_rows (kind, ref, project_id, session_id, type, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        ...[entry.kind, entry.ref, entry.projectId, entry.sessionId, entry.type, entry.createdAt],
      );
      const row = rowOf(entry.kind, entry.ref) as number;
      const body = entry.body.slice(0, mostBody);
      const pieces = splitIdentifiers(`${entry.title} ${body} ${entry.files.join(" ")}`).join(" ");
      db.run(
        "INSERT INTO memory_fts (rowid, title, body, pieces, scope) VALUES (?, ?, ?, ?, ?)",
        ...[row, entry.title, body, pieces, makeScope(entry)],
      );
      for (const file of new Set(entry.files))
        db.run("INSERT OR IGNORE INTO memory_files (path, row) VALUES (?, ?)", file, row);
    },
    remove,
    putSketches(kind, ref, sketches) {
      const row = rowOf(kind, ref) as number;
      for (const sketch of sketches)
        db.run("INSERT OR IGNORE INTO memory_sketches (sketch, row) VALUES (?, ?)", sketch, row);
    },
    refsBySketch(sketches, limit) {
      // One by one: the key then gives the newest without looking at the rest, which may be thousands.
      const rows = sketches.flatMap((sketch) =>
        db.all<{ ref: string }>(
          `SELECT r.ref FROM memory_sketches s JOIN memory_rows r ON r.rowid = s.row
           WHERE s.sketch = ? ORDER BY s.row DESC LIMIT ?`,
          sketch,
          limit,
        ),
      );
      return [...new Set(rows.map(({ ref }) => ref))];
    },
  };
}

function makeScope({ projectId, kind, type }: IndexEntry): string {
  return [
    scopeToken("project", projectId),
    scopeToken("kind", kind),
    ...(type ? [scopeToken("type", type)] : []),
  ].join(" ");
}

/** One token that neither the stemmer nor the tokenizer changes: letters and digits, ending in a digit. */
export function scopeToken(what: "project" | "kind" | "type", value: string): string {
  return `x${what[0]}${value.toLowerCase().replace(/[^a-z0-9]/g, "")}0`;
}
