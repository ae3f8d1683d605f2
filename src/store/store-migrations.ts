import { loadMigrations, type Migration } from "../sqlite/migrate.ts";

/** The folder is next to this file in the sources and next to the bundle in the build. */
export function loadStoreMigrations(): Migration[] {
  return loadMigrations(new URL("./migrations/", import.meta.url));
}
