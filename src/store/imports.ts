import { join } from "node:path";
import type { Database } from "../sqlite/sqlite.ts";
import { openRowTable } from "./row-table.ts";

interface ImportedFile {
  path: string;
  /** Offset of the next turn to read. */
  byte: number;
  /** File size when it was read completely; null before. */
  size: number | null;
  mtime: number | null;
  /** Turns that ended before this were skipped. */
  since: number;
  importedAt: number;
}

/** Imported files and the progress of each. */
export interface ImportTable {
  put(file: ImportedFile): void;
  byPath(path: string): ImportedFile | undefined;
  /** Forgets that the file was read. */
  remove(path: string): void;
  /** The number of files, of all or below a folder. */
  total(folder?: string): number;
}

export function openImportTable(db: Database): ImportTable {
  const columns = "path, byte, size, mtime, since, imported_at";
  const table = openRowTable<ImportedFile>(db, "imported_files", columns);
  return {
    put(file) {
      table.replace(file);
    },
    byPath: (path) => db.get<ImportedFile>(`${table.select} WHERE path = ?`, path),
    remove(path) {
      db.run("DELETE FROM imported_files WHERE path = ?", path);
    },
    total(folder = "") {
      const below = folder === "" ? "" : join(folder, "/");
      const sql = "SELECT count(*) AS n FROM imported_files WHERE substr(path, 1, length(?1)) = ?1";
      return db.get<{ n: number }>(sql, below)?.n ?? 0;
    },
  };
}
