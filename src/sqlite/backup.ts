import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/**
 * Copies a database in use to `target`, which is replaced only by a complete copy. The copy holds no remains of deleted
 * rows. Blocks its thread; writers of the database are not blocked.
 */
export function backUp(database: string, target: string): void {
  const next = `${target}.next`;
  rmSync(next, { force: true });
  const db = new DatabaseSync(database, { readOnly: true, timeout: 2_000 });
  try {
    db.prepare("VACUUM INTO ?").run(next);
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
