import { existsSync } from "node:fs";
import type { DatabaseFacts, Inspection, IntegrityVerdict } from "../../protocol/inspection.ts";
import { loadMigrations } from "../../store/migrate.ts";
import { type Database, openDatabase } from "../../store/sqlite.ts";
import { countExpiring, findTranscripts } from "../import/find-transcripts.ts";

/** A clock that is off by less is no finding. */
const slackMs = 300_000;
const newestRows = 1_000;

/** For `rookery doctor`: reads beside a daemon, or without one, and changes nothing. */
export async function lookAround(
  databaseFile: string,
  claudeFolder: string,
  nowMs: number,
): Promise<Inspection> {
  const { database, error, known } = readFacts(databaseFile, nowMs);
  const found = await findTranscripts(claudeFolder);
  const unread = found.filter(({ path, sessionId }) => !known.has(path) && !known.has(sessionId));
  return {
    ...describeSqlite(),
    knownSchema: loadMigrations().at(-1)?.version ?? 0,
    database,
    error,
    transcripts: countExpiring(claudeFolder, unread, nowMs),
  };
}

interface Facts {
  database: DatabaseFacts | null;
  error: string | null;
  /** Paths of imported transcripts, and the ids of sessions that hooks told of. */
  known: Set<string>;
}

function readFacts(file: string, nowMs: number): Facts {
  const nothing: Facts = { database: null, error: null, known: new Set() };
  if (!existsSync(file)) return nothing;
  try {
    return withDatabase(file, (db) => {
      const schema = readSchema(db);
      if (schema === 0) return nothing; // Made, and not filled yet.
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
    nowMs + slackMs,
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

/** Every page is read once: on a large database this takes a while, and whoever waits may end us at any moment. */
export function checkIntegrity(file: string): IntegrityVerdict {
  try {
    const verdict = withDatabase(file, (db) => db.get<{ quick_check: string }>("PRAGMA quick_check(1)"));
    return { damage: verdict?.quick_check === "ok" ? null : (verdict?.quick_check ?? "no verdict") };
  } catch (error) {
    return { damage: (error as Error).message };
  }
}

function describeSqlite(): Pick<Inspection, "sqlite" | "hasFullText"> {
  return withDatabase(":memory:", (db) => {
    const sqlite = db.get<{ version: string }>("SELECT sqlite_version() AS version")?.version ?? "";
    try {
      db.script("CREATE VIRTUAL TABLE words USING fts5(text)");
      return { sqlite, hasFullText: true };
    } catch {
      return { sqlite, hasFullText: false }; // Built without it: that is the answer.
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
