import type { Database } from "../sqlite/sqlite.ts";

interface FolderFile {
  /** Root of the checkout. */
  root: string;
  path: string;
}

/** Files that we wrote a section into. */
export interface FolderFileTable {
  put(projectId: string, file: FolderFile): void;
  remove(file: FolderFile): void;
  ofProject(projectId: string): FolderFile[];
  /** Projects with such files. */
  projects(): string[];
}

export function openFolderFileTable(db: Database): FolderFileTable {
  return {
    put(projectId, { root, path }) {
      db.run(
        "INSERT OR REPLACE INTO folder_files (root, path, project_id) VALUES (?, ?, ?)",
        root,
        path,
        projectId,
      );
    },
    remove({ root, path }) {
      db.run("DELETE FROM folder_files WHERE root = ? AND path = ?", root, path);
    },
    ofProject: (projectId) =>
      db.all<FolderFile>(
        "SELECT root, path FROM folder_files WHERE project_id = ? ORDER BY root, path",
        projectId,
      ),
    projects: () =>
      db.all<{ id: string }>("SELECT DISTINCT project_id AS id FROM folder_files").map(({ id }) => id),
  };
}
