import type { Database } from "../sqlite/sqlite.ts";

export interface ImportedFile {
  path: string;
  /** Where the turn begins that is to be read next. */
  byte: number;
  /** Of the file when all of it had been read; null before. */
  size: number | null;
  mtime: number | null;
  /** What ended before was left out. */
  since: number;
  importedAt: number;
}

/** Which files were imported, and how far. */
export interface ImportTable {
  put(file: ImportedFile): void;
  byPath(path: string): ImportedFile | undefined;
  /** As if it had never been read. */
  remove(path: string): void;
  total(): number;
}

export function openImportTable(db: Database): ImportTable {
  return {
    put(f) {
      db.run(
        "INSERT OR REPLACE INTO imported_files (path, byte, size, mtime, since, imported_at) VALUES (?, ?, ?, ?, ?, ?)",
        f.path,
        f.byte,
        f.size,
        f.mtime,
        f.since,
        f.importedAt,
      );
    },
    byPath: (path) =>
      db.get<ImportedFile>(
        "SELECT path, byte, size, mtime, since, imported_at AS importedAt FROM imported_files WHERE path = ?",
        path,
      ),
    remove(path) {
      db.run("DELETE FROM imported_files WHERE path = ?", path);
    },
    total: () => db.get<{ n: number }>("SELECT count(*) AS n FROM imported_files")?.n ?? 0,
  };
}
