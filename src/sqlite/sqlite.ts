import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { AppError } from "../shared/errors.ts";

export type Row = Record<string, unknown>;
export type Value = SQLInputValue | boolean | undefined;

/** One connection. Statements are prepared once; `undefined` is NULL and booleans are 0 or 1. */
export interface Database {
  run(sql: string, ...values: Value[]): { changes: number };
  get<T = Row>(sql: string, ...values: Value[]): T | undefined;
  all<T = Row>(sql: string, ...values: Value[]): T[];
  /** Several statements, no parameters. */
  script(sql: string): void;
  /** All or nothing. Not nested: whoever owns the unit of work opens it. */
  transaction<T>(work: () => T): T;
  close(): void;
}

export interface OpenOptions {
  readOnly?: boolean;
  /** For pages read and pages not yet written. */
  cacheKb?: number;
}

/**
 * WAL with synchronous=NORMAL: a commit survives kill -9 of any process; after a power loss the last
 * commits may be gone, never half there. FULL would cost an fsync per group commit (docs/architecture.md).
 * What is deleted is overwritten with zeros, and a new file can give its free pages back a few at a time. The log is folded in
 * every 16 MB: pages that are written over and over reach the file, and its fsync, less often.
 */
const writing =
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 4000";

export function openDatabase(path: string, options: OpenOptions = {}): Database {
  const db = new DatabaseSync(path, { readOnly: options.readOnly ?? false, timeout: 2000 });
  try {
    if (options.readOnly) db.exec("PRAGMA query_only = 1");
    else {
      if (isNew(db)) db.exec("PRAGMA auto_vacuum = INCREMENTAL");
      db.exec(writing);
    }
    // The system's own cache stands behind ours: only who writes much at once gains by a large one.
    const cacheKb = options.cacheKb ?? (options.readOnly ? 2_000 : 8_000);
    db.exec(`PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheKb}`);
  } catch (error) {
    db.close();
    throw error;
  }
  const statements = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    let prepared = statements.get(sql);
    if (!prepared) {
      prepared = prepareOnce(db, sql);
      statements.set(sql, prepared);
    }
    return prepared;
  }

  return {
    run(sql, ...values) {
      const { statement, bind } = prepare(sql);
      return { changes: Number(statement.run(...bind(values)).changes) };
    },
    get<T>(sql: string, ...values: Value[]) {
      const { statement, bind } = prepare(sql);
      return statement.get(...bind(values)) as T | undefined;
    },
    all<T>(sql: string, ...values: Value[]) {
      const { statement, bind } = prepare(sql);
      return statement.all(...bind(values)) as T[];
    },
    script: (sql) => db.exec(sql),
    transaction(work) {
      prepare("BEGIN IMMEDIATE").statement.run();
      try {
        const result = work();
        prepare("COMMIT").statement.run();
        return result;
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        throw error;
      }
    },
    close: () => db.close(),
  };
}

/** Said to a file that has pages, the same pragma would write to it. */
function isNew(db: DatabaseSync): boolean {
  return Object.values(db.prepare("PRAGMA page_count").get() ?? {})[0] === 0;
}

interface Prepared {
  statement: StatementSync;
  bind(values: readonly Value[]): SQLInputValue[];
}

/** `?1` may stand twice. Node 22 cannot bind such by position, so each place gets a plain `?` and its own copy. */
function prepareOnce(db: DatabaseSync, sql: string): Prepared {
  const places: number[] = [];
  const plain = sql.replace(/\?(\d+)/g, (_whole, number: string) => {
    places.push(Number(number) - 1);
    return "?";
  });
  const statement = db.prepare(plain);
  if (places.length === 0) return { statement, bind: (values) => values.map(toSql) };
  return { statement, bind: (values) => places.map((place) => toSql(values[place])) };
}

function toSql(value: Value): SQLInputValue {
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  return value;
}

/** SQLite's primary result code of a thrown error, or undefined if it was something else. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

const FULL = 13;
const IOERR = 10;
const READONLY = 8;
const CORRUPT = 11;
const NOTADB = 26;

/** No room or no way to write now: wait, keep the spool, try again. */
export function isStorageFull(error: unknown): boolean {
  const code = sqliteCode(error);
  return (
    code === FULL || code === IOERR || code === READONLY || (error as NodeJS.ErrnoException).code === "ENOSPC"
  );
}

export function makeStoreFull(cause: unknown): AppError {
  return new AppError("store_full", `Cannot write: ${(cause as Error).message}.`, { cause });
}

export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === CORRUPT || code === NOTADB;
}
