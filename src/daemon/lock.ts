import { DatabaseSync } from "node:sqlite";
import { sqliteCode } from "../store/sqlite.ts";

export interface Lock {
  release(): void;
}

const BUSY = 5;

/**
 * One daemon per home: whoever holds an exclusive transaction on this file. The system frees it when the
 * process dies, however it dies, so there is no stale pid to reason about.
 * Undefined if another process still holds it after `patienceMs` (a predecessor may be on its way out).
 */
export function acquireLock(path: string, patienceMs: number): Lock | undefined {
  const db = new DatabaseSync(path, { timeout: patienceMs });
  try {
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (sqliteCode(error) === BUSY) return undefined;
    throw error;
  }
  return { release: () => db.close() };
}
