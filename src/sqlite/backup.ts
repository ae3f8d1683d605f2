import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { openDatabase } from "./sqlite.ts";

/** Deletes the copy, and an unfinished one if there is any. */
export function removeBackup(target: string): void {
  for (const path of [target, `${target}.next`]) rmSync(path, { force: true });
}

/**
 * Copies a database in use to `target`, which is replaced only by a complete copy. The copy contains no remains of
 * deleted rows. Blocks its thread; writers of the database are not blocked.
 */
export function backUp(database: string, target: string): void {
  const next = `${target}.next`;
  rmSync(next, { force: true });
  const db = openDatabase(database, { readOnly: true });
  try {
    db.script("PRAGMA query_only = 0"); // It also applies to the new file.
    db.run("VACUUM INTO ?", next);
  } finally {
    db.close();
  }
  const file = openSync(next, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, target);
}
