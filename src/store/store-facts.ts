import { existsSync } from "node:fs";
import type { DatabaseFacts, Inspection, IntegrityVerdict } from "../protocol/inspection.ts";
import { type Database, openDatabase } from "../sqlite/sqlite.ts";

/** Smaller clock differences are not reported. */
const toleranceMs = 300_000;
const newestRows = 1_000;

interface StoreFacts {
  database: DatabaseFacts | null;
  error: string | null;
  /** Paths of imported transcripts and ids of captured sessions. */
  known: Set<string>;
}

/** Reads a database file that may be damaged or in use by a daemon. */
export function readStoreFacts(file: string, nowMs: number): StoreFacts {
  const nothing: StoreFacts = { database: null, error: null, known: new Set() };
  if (!existsSync(file)) return nothing;
  try {
    return withDatabase(file, (db) => {
      const schema = readSchema(db);
      if (schema === 0) return nothing; // Created, but not migrated yet.
      return { database: { schema, ...readRows(db, nowMs) }, error: null, known: readKnown(db) };
    });
  } catch (error) {
    return { ...nothing, error: (error as Error).message };
  }
}

function readSchema(db: Database): number {
  return db.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
}

function readRows(db: Database, nowMs: number): Omit<DatabaseFacts, "schema"> {
  const newest = db.get<{ at: number }>("SELECT stored_at AS at FROM events ORDER BY seq DESC LIMIT 1");
  const future = db.get<{ n: number }>(
    "SELECT count(*) AS n FROM (SELECT stored_at FROM events ORDER BY seq DESC LIMIT ?) WHERE stored_at > ?",
    newestRows,
    nowMs + toleranceMs,
  );
  const active = db.all<{ pid: number }>(
    "SELECT host_pid AS pid FROM sessions WHERE status = 'active' AND host_pid IS NOT NULL",
  );
  return {
    lastEventAt: newest?.at ?? null,
    fromFuture: future?.n ?? 0,
    hostPids: active.map(({ pid }) => pid),
  };
}

function readKnown(db: Database): Set<string> {
  const rows = db.all<{ name: string }>(
    "SELECT path AS name FROM imported_files UNION ALL SELECT id AS name FROM sessions",
  );
  return new Set(rows.map(({ name }) => name));
}

/** Reads every page, which takes a while on a large database. The caller may kill the process at any time. */
export function checkIntegrity(file: string): IntegrityVerdict {
  try {
    const verdict = withDatabase(file, (db) => db.get<{ quick_check: string }>("PRAGMA quick_check(1)"));
    return { damage: verdict?.quick_check === "ok" ? null : (verdict?.quick_check ?? "no verdict") };
  } catch (error) {
    return { damage: (error as Error).message };
  }
}

/** The SQLite version of this process. */
export function describeSqlite(): Pick<Inspection, "sqlite" | "hasFullText"> {
  return withDatabase(":memory:", (db) => {
    const sqlite = db.get<{ version: string }>("SELECT sqlite_version() AS version")?.version ?? "";
    try {
      db.script("CREATE VIRTUAL TABLE words USING fts5(text)");
      return { sqlite, hasFullText: true };
    } catch {
      return { sqlite, hasFullText: false }; // Built without FTS5.
    }
  });
}

function withDatabase<T>(file: string, use: (db: Database) => T): T {
  const db = openDatabase(file, { readOnly: file !== ":memory:" });
  try {
    return use(db);
  } finally {
    db.close();
  }
}
