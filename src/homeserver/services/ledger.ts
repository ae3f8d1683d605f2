import type { Database, Value } from "../../sqlite/sqlite.ts";

/**
 * The one way to the database. Writes are queued and go down together, once per turn of the event loop, in one
 * transaction; whoever answers a request waits for it. Reads write first what is queued, so they never miss anything.
 */
export interface Ledger {
  write(sql: string, ...values: Value[]): void;
  get<T>(sql: string, ...values: Value[]): T | undefined;
  all<T>(sql: string, ...values: Value[]): T[];
  /** A new position. Never given out twice, not even after a crash. */
  next(): number;
  /** The last position given out. */
  position(): number;
  /** Runs once what is queued now is safe: commit first, announce second. */
  afterCommit(announce: () => void): void;
  /** Resolves when everything queued so far is safe; undefined when it is already. */
  committed(): Promise<void> | undefined;
  /** What was remembered of a transaction that failed must be forgotten. */
  onLost(forget: () => void): void;
  /** Lets go of all that is remembered: rows were changed behind its back. It is read anew when it is asked for. */
  letGo(): void;
  /** Work of many writes that may fail half-way: all of it happens, or none. */
  attempt<T>(work: () => T): T;
  flush(): void;
}

/** Positions are reserved in blocks, because most of them (typing, presence) leave no row behind. */
const reserve = 2_000;

export function openLedger(db: Database): Ledger {
  let writes: { sql: string; values: Value[] }[] = [];
  let announcements: (() => void)[] = [];
  let waiting: PromiseWithResolvers<void> | undefined;
  const forgetful: (() => void)[] = [];
  let reserved = Number(db.get<{ value: string }>("SELECT value FROM meta WHERE key = 'stream'")?.value ?? 0);
  // Never 0, which would mean a first sync.
  let position = Math.max(reserved, 1);
  let isAttempting = false;

  function flush(): void {
    if (isAttempting) return;
    if (writes.length === 0) return settle();
    const batch = writes;
    writes = [];
    try {
      db.transaction(() => {
        for (const { sql, values } of batch) db.run(sql, ...values);
      });
    } catch (error) {
      lose(error);
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

  function lose(error: unknown): void {
    announcements = [];
    const failed = waiting;
    waiting = undefined;
    letGo();
    failed?.reject(error);
  }

  function letGo(): void {
    for (const forget of forgetful) forget();
  }

  /** The error reaches those who wait for the commit. */
  function flushInTurn(): void {
    try {
      flush();
    } catch {
      // `lose` has rejected everybody it concerns.
    }
  }

  function arm(): PromiseWithResolvers<void> {
    if (!waiting) {
      waiting = Promise.withResolvers();
      waiting.promise.catch(() => {}); // Whoever waits hears of it; nobody may be waiting.
      setImmediate(flushInTurn);
    }
    return waiting;
  }

  function write(sql: string, ...values: Value[]): void {
    if (isAttempting) return void db.run(sql, ...values);
    writes.push({ sql, values });
    arm();
  }

  function attempt<T>(work: () => T): T {
    flush();
    isAttempting = true;
    try {
      return db.transaction(work);
    } catch (error) {
      lose(error);
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
      return db.get(sql, ...values);
    },
    all(sql, ...values) {
      if (writes.length > 0) flush();
      return db.all(sql, ...values);
    },
    next() {
      position++;
      if (position >= reserved) {
        reserved = position + reserve;
        write("INSERT OR REPLACE INTO meta (key, value) VALUES ('stream', ?)", String(reserved));
      }
      return position;
    },
    position: () => position,
    afterCommit(announce) {
      announcements.push(announce);
      arm();
    },
    committed: () => waiting?.promise,
    onLost: (forget) => void forgetful.push(forget),
    letGo,
    attempt,
    flush,
  };
}
