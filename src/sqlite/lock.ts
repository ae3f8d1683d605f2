import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { sqliteCode } from "./sqlite.ts";

export interface Lock {
  /** Is the file still the one that we hold? False once somebody has deleted or replaced the home. */
  isInPlace(): boolean;
  release(): void;
}

const BUSY = 5;
const pollMs = 20;

/**
 * One daemon per home: whoever holds an exclusive transaction on this file. The system frees it when the
 * process dies, however it dies, so there is no stale pid to reason about.
 * A holder that does not answer may be on its way out: we wait for it up to `patienceMs`. One that answers
 * is here to stay, and whoever waited for it would only take over when the user stops it. Undefined then.
 */
export async function acquireLock(
  path: string,
  patienceMs: number,
  isAnswering: () => Promise<boolean>,
): Promise<Lock | undefined> {
  for (const until = performance.now() + patienceMs; ; await delay(pollMs)) {
    const lock = tryLock(path);
    if (lock) return lock;
    if (performance.now() >= until || (await isAnswering())) return undefined;
  }
}

function tryLock(path: string): Lock | undefined {
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    db.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (sqliteCode(error) === BUSY) return undefined;
    throw error;
  }
  const { ino } = statSync(path, { bigint: true });
  return {
    isInPlace: () => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino === ino,
    release: () => db.close(),
  };
}
