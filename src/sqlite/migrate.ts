import { readdirSync, readFileSync } from "node:fs";
import { AppError } from "../shared/errors.ts";
import type { Database } from "./sqlite.ts";

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

/** Reads `0001_name.sql` and its successors from a folder. */
export function loadMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((file) => /^\d{4}_.+\.sql$/.test(file))
    .toSorted()
    .map((file) => ({
      version: Number(file.slice(0, 4)),
      name: file.slice(5, -4),
      sql: readFileSync(new URL(file, folder), "utf8"),
    }));
}

/**
 * Brings the schema up to date in one transaction: either all pending migrations are applied, or the database is
 * unchanged. Returns the names of the applied migrations.
 */
export function migrate(db: Database, migrations: readonly Migration[]): string[] {
  const current = db.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
  const latest = migrations.at(-1)?.version ?? 0;
  if (current > latest)
    throw new AppError(
      "schema_newer",
      `The database has schema ${current}; this build supports up to ${latest}.`,
    );
  const pending = migrations.filter((migration) => migration.version > current);
  if (pending.length === 0) return [];
  let name = "";
  try {
    db.transaction(() => {
      for (const migration of pending) {
        name = migration.name;
        db.script(migration.sql);
      }
      db.script(`PRAGMA user_version = ${latest}`);
    });
  } catch (cause) {
    throw new AppError(
      "migration_failed",
      `Migration "${name}" failed: ${(cause as Error).message}. The database is unchanged.`,
      { cause },
    );
  }
  return pending.map((migration) => migration.name);
}
