import type { Database } from "../sqlite/sqlite.ts";
import { openRowTable } from "./row-table.ts";

type ProjectMode = "on" | "off" | "isolated";

type LeaseMode = "warn" | "block";

export interface ProjectRow {
  id: string;
  path: string;
  name: string;
  fingerprint: string | null;
  mode: ProjectMode;
  /** How to treat an edit of a file that another agent has leased. */
  leases: LeaseMode;
  createdAt: number;
}

export interface ProjectTable {
  insert(project: ProjectRow): void;
  byId(id: string): ProjectRow | undefined;
  byPath(path: string): ProjectRow | undefined;
  byFingerprint(fingerprint: string): ProjectRow[];
  named(name: string): ProjectRow[];
  all(): ProjectRow[];
  setMode(id: string, mode: ProjectMode): void;
  /** Whether sections may be written into its folders; requires the user's consent. */
  hasFolders(id: string): boolean;
  setFolders(id: string, isOn: boolean): void;
  setLeases(id: string, mode: LeaseMode): void;
  /** Cached in memory, because it is called for every event. */
  isOff(path: string): boolean;
  /** The folder moved: replaces the old path everywhere. */
  relocate(project: ProjectRow, path: string, name: string): void;
}

const columns = "id, path, name, fingerprint, mode, leases, created_at";

export function openProjectTable(db: Database, origin: string): ProjectTable {
  const table = openRowTable<ProjectRow>(db, "projects", columns);
  const { select } = table;
  let off: Set<string> | undefined;

  return {
    insert(project) {
      table.insert(project, { origin });
    },
    byId: (id) => db.get<ProjectRow>(`${select} WHERE id = ?`, id),
    byPath: (path) => db.get<ProjectRow>(`${select} WHERE path = ?`, path),
    byFingerprint: (fingerprint) => db.all<ProjectRow>(`${select} WHERE fingerprint = ?`, fingerprint),
    named: (name) => db.all<ProjectRow>(`${select} WHERE name = ? ORDER BY created_at`, name),
    all: () => db.all<ProjectRow>(`${select} ORDER BY name`),
    setMode(id, mode) {
      db.run("UPDATE projects SET mode = ? WHERE id = ?", mode, id);
      off = undefined;
    },
    hasFolders: (id) => db.get("SELECT 1 FROM projects WHERE id = ? AND folders = 1", id) !== undefined,
    setFolders(id, isOn) {
      db.run("UPDATE projects SET folders = ? WHERE id = ?", isOn, id);
    },
    setLeases(id, mode) {
      db.run("UPDATE projects SET leases = ? WHERE id = ?", mode, id);
    },
    isOff(path) {
      off ??= new Set(
        db.all<{ path: string }>("SELECT path FROM projects WHERE mode = 'off'").map((row) => row.path),
      );
      return off.has(path);
    },
    relocate(project, path, name) {
      off = undefined;
      db.run("UPDATE projects SET path = ?, name = ? WHERE id = ?", path, name, project.id);
      db.run("UPDATE sessions SET project = ? WHERE project = ?", path, project.path);
      db.run(
        "UPDATE OR IGNORE agents SET project = ?, project_name = ? WHERE project = ?",
        path,
        name,
        project.path,
      );
    },
  };
}
