import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Home } from "../../config/home.ts";

/**
 * Deletes what is ours in a home, and the home if nothing else is in it; returns what else there is. By name: somebody may have
 * pointed ROOKERY_HOME to a folder that holds more than us. What running sessions still need of the program can stay.
 */
export function removeHome(home: Home, { keepsProgram }: { keepsProgram: boolean }): string[] {
  const kept = keepsProgram ? [home.app, home.left, home.stopped] : [];
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
    // Not empty: what is left is told.
  }
  return list(home.root).filter((name) => !isOurs(home, name));
}

/** SQLite and those who set a damaged database aside add endings of their own. */
function isOurs(home: Home, name: string): boolean {
  const databases = [home.database, home.matrixDatabase].map((path) => basename(path));
  return (
    Object.values(home).some((path: string) => path === join(home.root, name)) ||
    databases.some((database) => name.startsWith(`${database}-`) || name.startsWith(`${database}.`)) ||
    ownFiles.has(name)
  );
}

/** What has no place in `Home`. */
const ownFiles = new Set(["daemon.json.next", "statusline-before.json"]);

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // It is gone.
  }
}
