import { listMeanings } from "../domain/memory/lexicon.ts";
import { segment } from "../domain/memory/segment.ts";
import { listWords, splitIdentifiers } from "../domain/memory/words.ts";
import type { Database } from "../sqlite/sqlite.ts";

export type MemoryKind = "observation" | "summary" | "prompt" | "question" | "message";

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

/** Kinds whose text search reads from its own table (`memory-text.ts`); for the others the index stores the text itself. */
const keptElsewhere: readonly MemoryKind[] = ["observation", "summary", "prompt"];

/** The write side of search: entries can be found once the transaction is committed. */
export interface MemoryIndex {
  /**
   * Makes a document of any kind searchable, by its words immediately and by its meaning a moment later; putting the
   * same kind and `ref` again replaces it. `title` counts double and may be empty; `projectId` and `sessionId` say
   * where it belongs (neighbours in a session raise each other's score); `createdAt` is when it was said. Call it in
   * the transaction that stores the document, and `remove` in the one that deletes it. To add a kind, add it to
   * `MemoryKind` and to the `memoryKinds` of the protocol.
   */
  put(entry: IndexEntry): void;
  remove(kind: MemoryKind, ref: string): void;
  has(kind: MemoryKind, ref: string): boolean;
  /**
   * Documents with this id, or an id that ends with it. If that is true of one note only, it is the note: contexts show
   * as much of an id as distinguishes notes.
   */
  bySuffix(suffix: string): { kind: MemoryKind; id: string }[];
  /** How many entries were put since the store was opened. */
  countPuts(): number;
  /** Stores the sketches that are used to find near-duplicates. The document must already be in the index. */
  putSketches(kind: MemoryKind, ref: string, sketches: readonly number[]): void;
  /** For each sketch, the newest documents that share it. */
  refsBySketch(sketches: readonly number[], limit: number): string[];
}

/** Only the beginning and end of a long text are indexed; its middle would dilute the ranking. */
const maxBody = 20_000;

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

  let puts = 0;
  return {
    countPuts: () => puts,
    bySuffix(suffix) {
      const found = db.all<{ kind: MemoryKind; id: string }>(
        `SELECT kind, ref AS id FROM memory_rows WHERE ref = ?1 OR substr(ref, -length(?1)) = ?1
           ORDER BY ref = ?1 DESC, kind = 'observation' DESC LIMIT 2`,
        suffix,
      );
      const [first, second] = found;
      const isSure =
        first?.id === suffix || (first?.kind === "observation" && second?.kind !== "observation");
      return isSure ? found.slice(0, 1) : found;
    },
    has: (kind, ref) => rowOf(kind, ref) !== undefined,
    put(entry) {
      puts += 1;
      remove(entry.kind, entry.ref);
      db.run(
        "INSERT INTO memory_rows (kind, ref, project_id, session_id, type, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        entry.kind,
        entry.ref,
        entry.projectId,
        entry.sessionId,
        entry.type,
        entry.createdAt,
      );
      const row = rowOf(entry.kind, entry.ref) as number;
      const text = makeIndexText(entry.title, entry.body, entry.files);
      db.run(
        "INSERT INTO memory_fts (rowid, title, body, pieces, scope) VALUES (?, ?, ?, ?, ?)",
        row,
        text.title,
        text.body,
        text.pieces,
        makeScope(entry),
      );
      if (!keptElsewhere.includes(entry.kind))
        db.run(
          "INSERT INTO memory_texts (row, title, body) VALUES (?, ?, ?)",
          row,
          entry.title,
          entry.body.slice(0, maxBody),
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
      // One query per sketch: the key then yields the newest without reading the rest, which may be thousands.
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

/** The columns of the word index. */
export interface IndexText {
  title: string;
  body: string;
  pieces: string;
}

export function makeIndexText(title: string, text: string, files: readonly string[]): IndexText {
  const segmented = { title: segment(title), body: segment(text.slice(0, maxBody)) };
  const pieces = listPieces(`${segmented.title} ${segmented.body}`, files);
  const meanings = listMeanings(`${title} ${text.slice(0, maxBody)}`);
  return { ...segmented, pieces: [...pieces, ...meanings].join(" ") };
}

/** Words that the tokenizer does not find on its own; words that are already in the text are not repeated. */
function listPieces(text: string, files: readonly string[]): string[] {
  const present = new Set(listWords(text));
  return [...new Set(splitIdentifiers(`${text} ${files.join(" ")}`))].filter((piece) => !present.has(piece));
}

export function makeScope({
  projectId,
  kind,
  type,
}: Pick<IndexEntry, "projectId" | "kind" | "type">): string {
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
