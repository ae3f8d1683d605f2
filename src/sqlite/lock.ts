import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { sqliteCode } from "./sqlite.ts";

export interface Lock {
  /** Whether the file is still the one we locked. False once the home was deleted or replaced. */
  isInPlace(): boolean;
  release(): void;
}

const BUSY = 5;
const pollMs = 20;

/**
 * Ensures that only one daemon runs per home: the process that holds an exclusive transaction on this file. The system
 * releases the lock when the process dies for any reason, so there are no stale pids to handle. A holder that does not
 * respond may be stopping or dying: we wait for it up to `patienceMs`. Returns undefined if the holder responds, because it
 * will keep the lock until the user stops it.
 */
export async function acquireLock(
  path: string,
  patienceMs: number,
  isResponding: () => Promise<boolean>,
): Promise<Lock | undefined> {
  for (const until = performance.now() + patienceMs; ; await delay(pollMs)) {
    const lock = tryLock(path);
    if (lock) return lock;
    if (performance.now() >= until || (await isResponding())) return undefined;
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
