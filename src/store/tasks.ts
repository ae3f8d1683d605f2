import type { TaskState } from "../domain/mail/task.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";
import { openRowTable } from "./row-table.ts";

export interface TaskRow {
  id: string;
  projectId: string;
  title: string;
  requester: string;
  owner: string | null;
  state: TaskState;
  rev: number;
  progress: number | null;
  result: string | null;
  files: string[];
  eventId: string | null;
  createdAt: number;
  updatedAt: number;
}

export interface TaskTable {
  insert(task: TaskRow): void;
  /** False if the stored revision is not `from`: someone else changed the task. */
  update(task: TaskRow, from: number): boolean;
  byId(id: string): TaskRow | undefined;
  /** A full id or an unambiguous suffix. */
  byShortId(suffix: string): TaskRow[];
  /** Latest change first; of one project, or of all. */
  recent(limit: number, projectId?: string): TaskRow[];
}

const columns =
  "id, project_id, title, requester, owner, state, rev, progress, result, files, event_id, created_at, updated_at";
const mutable = "title, owner, state, rev, progress, result, files, event_id, updated_at";

type Row = Omit<TaskRow, "files"> & { files: string };

export function openTaskTable(db: Database, origin: string): TaskTable {
  const table = openRowTable<TaskRow>(db, "tasks", columns);
  const { select } = table;
  return {
    insert(task) {
      table.insert(task, { origin });
    },
    update: (task, from) => table.update(task, mutable, `AND rev = ${from}`),
    byId(id) {
      const row = db.get<Row>(`${select} WHERE id = ?`, id);
      return row && fromRow(row);
    },
    byShortId: (tail) =>
      db.all<Row>(`${select} WHERE substr(id, -length(?1)) = ?1 LIMIT 3`, tail.toLowerCase()).map(fromRow),
    recent: (limit, projectId) =>
      db
        .all<Row>(
          `${select} WHERE (?1 IS NULL OR project_id = ?1) ORDER BY updated_at DESC LIMIT ?2`,
          projectId ?? null,
          limit,
        )
        .map(fromRow),
  };
}

function fromRow(row: Row): TaskRow {
  return { ...row, files: parseJson(row.files) as string[] };
}
