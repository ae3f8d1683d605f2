import { segment } from "../domain/memory/segment.ts";
import { type IndexText, makeIndexText, makeScope, type MemoryKind } from "./memory-index.ts";
import { readText, searchedText } from "./memory-text.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";

/** Rows to index again, and the last row that was read. */
export interface ReindexBatch {
  rows: ({ row: number; scope: string } & IndexText)[];
  upTo: number;
}

interface StaleRow {
  row: number;
  kind: MemoryKind;
  ref: string;
  projectId: string;
  type: string | null;
  files: string;
  concepts: string | null;
}

/**
 * The next rows of an older index, as they are indexed today; undefined when none are left. Only rows whose indexed
 * text changed are included: prompts with an answer, and Chinese, Japanese and Korean text.
 */
export function reindexRows(db: Database, limit: number): ReindexBatch | undefined {
  const stale = db.all<StaleRow>(
    `SELECT r.rowid AS row, r.kind, r.ref, r.project_id AS projectId, r.type,
       (SELECT json_group_array(path) FROM memory_files f WHERE f.row = r.rowid) AS files,
       (SELECT concepts FROM observations o WHERE r.kind = 'observation' AND o.id = r.ref) AS concepts
     FROM reindexing i JOIN memory_rows r ON r.rowid BETWEEN i.next AND i.until ORDER BY r.rowid LIMIT ?`,
    limit,
  );
  const last = stale.at(-1);
  if (!last) return undefined;
  const rows = stale.flatMap((one) => {
    const { title, body, answer } = readText(db, one);
    const searched = searchedText({ body, answer: answer ?? null });
    const whole =
      one.concepts === null ? searched : `${searched}\n${(parseJson(one.concepts) as string[]).join(", ")}`;
    const text = `${title} ${whole}`;
    if (!answer && segment(text) === text) return [];
    const files = parseJson(one.files) as string[];
    return [{ row: one.row, scope: makeScope(one), ...makeIndexText(title, whole, files) }];
  });
  return { rows, upTo: last.row };
}

/** Writes a batch in the caller's transaction. */
export function putReindexed(db: Database, { rows, upTo }: ReindexBatch): void {
  for (const { row, title, body, pieces, scope } of rows) {
    // It may have been forgotten in the meantime.
    if (!db.get("SELECT 1 FROM memory_rows WHERE rowid = ?", row)) continue;
    db.run("DELETE FROM memory_fts WHERE rowid = ?", row);
    db.run(
      "INSERT INTO memory_fts (rowid, title, body, pieces, scope) VALUES (?, ?, ?, ?, ?)",
      row,
      title,
      body,
      pieces,
      scope,
    );
  }
  db.run("UPDATE reindexing SET next = ?", upTo + 1);
}

export function isReindexing(db: Database): boolean {
  return db.get("SELECT 1 FROM reindexing") !== undefined;
}

/** Clears the mark of an older index. */
export function endReindexing(db: Database): void {
  db.run("DELETE FROM reindexing");
}
