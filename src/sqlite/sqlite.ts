import { statSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { AppError } from "../shared/errors.ts";

export type Row = Record<string, unknown>;
export type Value = SQLInputValue | boolean | undefined;

/** One connection. Each statement is prepared once; `undefined` binds as NULL, booleans as 0 or 1. */
export interface Database {
  run(sql: string, ...values: Value[]): { changes: number };
  get<T = Row>(sql: string, ...values: Value[]): T | undefined;
  all<T = Row>(sql: string, ...values: Value[]): T[];
  /** Several statements, no parameters. */
  script(sql: string): void;
  /** Runs `work` atomically. Transactions are not nested: the owner of the unit of work opens one. */
  transaction<T>(work: () => T): T;
  close(): void;
}

interface OpenOptions {
  readOnly?: boolean;
  /** Page cache size, dirty pages included. */
  cacheKb?: number;
  /** Called with every error that proves damage. If set, each commit also checks that the file is still in place. */
  onDamage?: (error: unknown) => void;
}

/**
 * WAL with synchronous=NORMAL: a commit survives kill -9 of any process; after a power loss the last commits may be
 * lost, but never half applied. FULL would cost an fsync per group commit (docs/architecture.md).
 * Deleted data is overwritten with zeros, and new files use incremental auto-vacuum. The WAL is checkpointed every 16
 * MB, so that pages written often reach the file, and its fsync, less often.
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
    // The operating system caches the file as well; a large cache only helps big write transactions.
    const cacheKb = options.cacheKb ?? (options.readOnly ? 2_000 : 8_000);
    db.exec(`PRAGMA temp_store = MEMORY; PRAGMA cache_size = -${cacheKb}`);
  } catch (error) {
    db.close();
    throw error;
  }
  const { onDamage } = options;
  const checkFile = onDamage ? watchFile(db, path) : undefined;
  const statements = new Map<string, Prepared>();

  function prepare(sql: string): Prepared {
    let prepared = statements.get(sql);
    if (!prepared) {
      prepared = prepareOnce(db, sql);
      statements.set(sql, prepared);
    }
    return prepared;
  }

  /** A deleted or truncated file causes errors of many kinds. */
  function fail(thrown: unknown): never {
    // The file at the path may be another one by now, which proves nothing.
    if (!db.isOpen) throw new AppError("store_closed", `${path} was closed.`, { cause: thrown });
    let error = thrown;
    try {
      if (!isCorrupt(error)) checkFile?.();
    } catch (damage) {
      error = damage;
    }
    if (isCorrupt(error)) onDamage?.(error);
    throw error;
  }

  return {
    run(sql, ...values) {
      try {
        const { statement, bind } = prepare(sql);
        const changes = Number(statement.run(...bind(values)).changes);
        if (!db.isTransaction) checkFile?.();
        return { changes };
      } catch (error) {
        return fail(error);
      }
    },
    get<T>(sql: string, ...values: Value[]) {
      try {
        const { statement, bind } = prepare(sql);
        return statement.get(...bind(values)) as T | undefined;
      } catch (error) {
        return fail(error);
      }
    },
    all<T>(sql: string, ...values: Value[]) {
      try {
        const { statement, bind } = prepare(sql);
        return statement.all(...bind(values)) as T[];
      } catch (error) {
        return fail(error);
      }
    },
    script: (sql) => db.exec(sql),
    transaction(work) {
      try {
        prepare("BEGIN IMMEDIATE").statement.run();
        const result = work();
        prepare("COMMIT").statement.run();
        checkFile?.();
        return result;
      } catch (error) {
        if (db.isOpen && db.isTransaction) db.exec("ROLLBACK");
        return fail(error);
      }
    },
    close: () => db.close(),
  };
}

/**
 * Throws if the file at the path is no longer the one that the connection writes to, or has lost pages: a commit into a
 * deleted file succeeds and is lost. Costs one `stat`, so it can run after every commit.
 */
function watchFile(db: DatabaseSync, path: string): () => void {
  const pragma = (name: string): number => Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const { dev, ino, size: firstSize } = statSync(path);
  let size = firstSize;
  return () => {
    const now = statSync(path, { throwIfNoEntry: false });
    if (now?.ino !== ino || now.dev !== dev)
      throw makeCorrupt(`${path} was ${now ? "replaced" : "deleted"} while in use`);
    // A checkpoint may shorten the file as well, to exactly the pages that are left.
    const isShorter = now.size < size;
    if (isShorter && (now.size === 0 || now.size !== pragma("page_count") * pragma("page_size")))
      throw makeCorrupt(`${path} was truncated from ${size} to ${now.size} bytes`);
    size = now.size;
  };
}

/** Whether the file is still empty. If it already had pages, `PRAGMA auto_vacuum` would write to it. */
function isNew(db: DatabaseSync): boolean {
  return Object.values(db.prepare("PRAGMA page_count").get() ?? {})[0] === 0;
}

interface Prepared {
  statement: StatementSync;
  bind(values: readonly Value[]): SQLInputValue[];
}

/**
 * `?1` may occur twice. Node 22 cannot bind numbered parameters by position, so each occurrence becomes a plain `?`
 * with its own copy of the value.
 */
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

/** SQLite's primary result code of a thrown error; undefined for other errors. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code & 0xff : undefined;
}

const FULL = 13;
const IOERR = 10;
const READONLY = 8;
const CORRUPT = 11;
const NOTADB = 26;

/** The disk is full or not writable: keep the spool and retry later. */
export function isStorageFull(error: unknown): boolean {
  const code = sqliteCode(error);
  return (
    code === FULL || code === IOERR || code === READONLY || (error as NodeJS.ErrnoException).code === "ENOSPC"
  );
}

export function makeStoreFull(cause: unknown): AppError {
  return new AppError("store_full", `Cannot write: ${(cause as Error).message}.`, { cause });
}

/** The first problem that a check of the entire file finds; undefined if there is none. */
export function findDamage(db: Database): string | undefined {
  const verdict = db.get<{ quick_check: string }>("PRAGMA quick_check(1)")?.quick_check;
  return verdict === "ok" ? undefined : (verdict ?? "no result");
}

/** Damage that SQLite itself does not report. */
export function makeCorrupt(message: string): Error {
  return Object.assign(new Error(message), { errcode: CORRUPT });
}

export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === CORRUPT || code === NOTADB;
}
