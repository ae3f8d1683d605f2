import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Home } from "../../config/home.ts";

/**
 * Deletes our files in a home, and the home itself if it is empty then; returns the remaining files. Only known names are
 * deleted, because ROOKERY_HOME may point to a folder with other files. `keepsProgram`: running sessions still use it.
 */
export function removeHome(home: Home, { keepsProgram }: { keepsProgram: boolean }): string[] {
  const kept = keepsProgram ? [home.app, home.orphanedSessions, home.stoppedByUser] : [];
  const isKept = (path: string): boolean =>
    kept.some((each) => each === path || each.startsWith(join(path, "/")));
  const remove = (path: string): void => {
    if (!isKept(path)) rmSync(path, { recursive: true, force: true });
    else if (!kept.includes(path)) for (const name of list(path)) remove(join(path, name));
  };
  for (const name of list(home.root)) if (isOurs(home, name)) remove(join(home.root, name));
  try {
    if (!keepsProgram) rmdirSync(home.root);
  } catch {
    // Not empty: the remaining files are returned.
  }
  return list(home.root).filter((name) => !isOurs(home, name));
}

/** SQLite, and moving a damaged database aside, add suffixes. */
function isOurs(home: Home, name: string): boolean {
  const databases = [home.database, home.matrixDatabase].map((path) => basename(path));
  return (
    Object.values(home).some((path: string) => path === join(home.root, name)) ||
    databases.some((database) => name.startsWith(`${database}-`) || name.startsWith(`${database}.`)) ||
    ownFiles.has(name)
  );
}

/** Files of ours that `Home` does not list. */
const ownFiles = new Set(["daemon.json.next", "statusline-before.json"]);

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Already deleted.
  }
}
