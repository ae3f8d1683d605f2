import { join } from "node:path";
import type { FolderChange, OfflineView } from "../../protocol/care.ts";
import { openFolderFileTable } from "../../store/folder-files.ts";
import { openProjectTable } from "../../store/projects.ts";
import { openSessionTable } from "../../store/sessions.ts";
import { type Database, openDatabase } from "../../sqlite/sqlite.ts";
import { listFolderFiles } from "../folders/list-folder-files.ts";
import { writeSection } from "../folders/write-section.ts";
import { isSameProcess } from "../../shared/processes.ts";

/** Facts that an uninstall needs, read from the database while no daemon runs. */
export function readOffline(databaseFile: string): OfflineView {
  return readDatabase(databaseFile, (db) => ({
    pids: openSessionTable(db, "")
      .active()
      .flatMap(({ hostPid, pidStarted }) =>
        hostPid !== null && isSameProcess(hostPid, pidStarted) ? [hostPid] : [],
      ),
    ...listFolderFiles(openFolderFileTable(db), openProjectTable(db, "")),
  }));
}

/** Removes every known section from the project that has a checkout there. */
export function removeSectionsOffline(databaseFile: string, root: string): { changes: FolderChange[] } {
  return readDatabase(databaseFile, (db) => {
    const table = openFolderFileTable(db);
    const ofProject = table.projects().map((id) => table.ofProject(id));
    const files = ofProject.find((ours) => ours.some((file) => file.root === root)) ?? [];
    const changes = files.flatMap((file): FolderChange[] => {
      const written = writeSection(file.root, file.path, undefined, false);
      return written.did === "unchanged"
        ? []
        : [{ file: join(file.root, file.path, "CLAUDE.md"), ...written }];
    });
    return { changes };
  });
}

/** Opens the database read-only. The rows can stay: a daemon that runs here again notices that the sections are gone. */
function readDatabase<T>(file: string, read: (db: Database) => T): T {
  const db = openDatabase(file, { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}
