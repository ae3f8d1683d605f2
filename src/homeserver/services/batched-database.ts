import type { Database, Value } from "../../sqlite/sqlite.ts";

/**
 * The only access to the database. Writes are queued and committed in one transaction per turn of the event loop;
 * responses wait for that commit. Reads flush the queue first, so they see all earlier writes.
 */
export interface BatchedDatabase {
  write(sql: string, ...values: Value[]): void;
  get<T>(sql: string, ...values: Value[]): T | undefined;
  all<T>(sql: string, ...values: Value[]): T[];
  /** Allocates a position. Positions are never reused, not even after a crash. */
  nextPosition(): number;
  /** The last allocated position. */
  position(): number;
  /** Runs after the queued writes are committed: commit first, announce second. */
  afterCommit(announce: () => void): void;
  /** Resolves when all queued writes are committed; undefined if there are none. */
  whenCommitted(): Promise<void> | undefined;
  /** Registers a function that clears a cache; called after a failed transaction and by `invalidateCaches`. */
  onInvalidate(clear: () => void): void;
  /** Clears all caches, because rows were changed directly. They are read again on demand. */
  invalidateCaches(): void;
  /** Runs the work in one transaction: all of its writes or none. */
  transaction<T>(work: () => T): T;
  flush(): void;
}

/** Positions are reserved in blocks, because most of them (typing, presence) are not stored in any row. */
const reservedBlock = 2_000;

export function openBatchedDatabase(connection: Database): BatchedDatabase {
  let writes: { sql: string; values: Value[] }[] = [];
  let announcements: (() => void)[] = [];
  let waiting: PromiseWithResolvers<void> | undefined;
  const cacheClearers: (() => void)[] = [];
  let reserved = Number(
    connection.get<{ value: string }>("SELECT value FROM meta WHERE key = 'stream'")?.value ?? 0,
  );
  // Never 0, which means an initial sync.
  let position = Math.max(reserved, 1);
  let isAttempting = false;

  function flush(): void {
    if (isAttempting) return;
    if (writes.length === 0) return settle();
    const batch = writes;
    writes = [];
    try {
      connection.transaction(() => {
        for (const { sql, values } of batch) connection.run(sql, ...values);
      });
    } catch (error) {
      discard(error);
      throw error;
    }
    settle();
  }

  function settle(): void {
    const [due, done] = [announcements, waiting];
    announcements = [];
    waiting = undefined;
    for (const announce of due) announce();
    done?.resolve();
  }

  function discard(error: unknown): void {
    announcements = [];
    const failed = waiting;
    waiting = undefined;
    invalidateCaches();
    failed?.reject(error);
  }

  function invalidateCaches(): void {
    for (const clear of cacheClearers) clear();
  }

  /** The error is delivered through the promise of `committed`. */
  function flushScheduled(): void {
    try {
      flush();
    } catch {
      // `discard` has rejected the promise of `committed`.
    }
  }

  function scheduleFlush(): void {
    if (waiting) return;
    waiting = Promise.withResolvers();
    waiting.promise.catch(() => {}); // Avoids an unhandled rejection if no request is waiting.
    setImmediate(flushScheduled);
  }

  function write(sql: string, ...values: Value[]): void {
    if (isAttempting) return void connection.run(sql, ...values);
    writes.push({ sql, values });
    scheduleFlush();
  }

  function transaction<T>(work: () => T): T {
    flush();
    isAttempting = true;
    try {
      return connection.transaction(work);
    } catch (error) {
      discard(error);
      throw error;
    } finally {
      isAttempting = false;
      settle();
    }
  }

  return {
    write,
    get(sql, ...values) {
      if (writes.length > 0) flush();
      return connection.get(sql, ...values);
    },
    all(sql, ...values) {
      if (writes.length > 0) flush();
      return connection.all(sql, ...values);
    },
    nextPosition() {
      position++;
      if (position >= reserved) {
        reserved = position + reservedBlock;
        write("INSERT OR REPLACE INTO meta (key, value) VALUES ('stream', ?)", String(reserved));
      }
      return position;
    },
    position: () => position,
    afterCommit(announce) {
      announcements.push(announce);
      scheduleFlush();
    },
    whenCommitted: () => waiting?.promise,
    onInvalidate: (clear) => void cacheClearers.push(clear),
    invalidateCaches,
    transaction,
    flush,
  };
}
