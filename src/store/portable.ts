import type { Database, Value } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";

export const portableKinds = ["project", "session", "turn", "prompt", "summary", "observation"] as const;
type PortableKind = (typeof portableKinds)[number];

/** A row for export and import: every column that is meaningful on another machine. */
export type PortableRow = { kind: PortableKind } & Record<string, unknown>;

export interface ExportFilter {
  project?: { id: string; path: string };
  since?: number;
}

export interface ExportPosition {
  kind: PortableKind;
  after: number;
}

interface Shape {
  table: string;
  columns: readonly string[];
  /** Columns that are JSON arrays. */
  lists?: readonly string[];
  at: string;
  mine: "id" | "project" | "session_id" | "project_id";
}

const shapes: Record<PortableKind, Shape> = {
  project: {
    table: "projects",
    at: "0",
    mine: "id",
    columns: ["id", "path", "name", "fingerprint", "mode", "created_at", "origin"],
  },
  session: {
    table: "sessions",
    at: "last_event_at",
    mine: "project",
    columns: [
      "id",
      "project",
      "cwd",
      "source",
      "model",
      "title",
      "branch",
      "started_at",
      "last_event_at",
      "origin",
    ],
  },
  turn: {
    table: "turns",
    at: "coalesce(ended_at, started_at)",
    mine: "session_id",
    columns: [
      "id",
      "session_id",
      "prompt_id",
      "number",
      "origin_kind",
      "outcome",
      "started_at",
      "ended_at",
      "transcript_key",
      "origin",
    ],
  },
  prompt: {
    table: "prompts",
    at: "occurred_at",
    mine: "session_id",
    columns: ["event_id", "session_id", "turn_id", "prompt_id", "number", "text", "machine", "occurred_at"],
  },
  summary: {
    table: "summaries",
    at: "created_at",
    mine: "project_id",
    columns: [
      "id",
      "project_id",
      "session_id",
      "turn_id",
      "request",
      "investigated",
      "learned",
      "completed",
      "next_steps",
      "notes",
      "files_read",
      "files_modified",
      "provenance",
      "created_at",
      "origin",
    ],
    lists: ["files_read", "files_modified"],
  },
  observation: {
    table: "observations",
    at: "created_at",
    mine: "project_id",
    columns: [
      "id",
      "project_id",
      "worktree",
      "session_id",
      "turn_id",
      "prompt_number",
      "type",
      "title",
      "narrative",
      "facts",
      "concepts",
      "files_read",
      "files_modified",
      "source_events",
      "tokens",
      "provenance",
      "hash",
      "created_at",
      "updated_at",
      "origin",
      "superseded_by",
      "superseded_at",
      "superseded_because",
      "worth",
      "pinned_at",
      "author",
      "by_machine",
    ],
    lists: ["facts", "concepts", "files_read", "files_modified", "source_events"],
  },
};

const pageSize = 200;

/** The next rows of an export and the position to continue from; undefined at the end. */
export function readPortable(
  db: Database,
  filter: ExportFilter,
  { kind, after }: ExportPosition,
): { rows: PortableRow[]; next: ExportPosition | undefined } {
  const { table, columns, lists = [], at, mine } = shapes[kind];
  const { sql, values } = makeCondition(filter, at, mine);
  const found = db.all<Record<string, unknown> & { rowid: number }>(
    `SELECT rowid, ${columns.join(", ")} FROM ${table} WHERE rowid > ? ${sql} ORDER BY rowid LIMIT ${pageSize}`,
    after,
    ...values,
  );
  const rows = found.map(({ rowid: _rowid, ...row }): PortableRow => {
    for (const list of lists) row[list] = parseJson(String(row[list]));
    return { kind, ...row };
  });
  const last = found.at(-1);
  const following = portableKinds[portableKinds.indexOf(kind) + 1];
  if (last) return { rows, next: { kind, after: last.rowid } };
  return { rows, next: following && { kind: following, after: 0 } };
}

function makeCondition(
  { project, since }: ExportFilter,
  at: string,
  mine: Shape["mine"],
): { sql: string; values: Value[] } {
  const parts: string[] = [];
  const values: Value[] = [];
  if (project && mine === "session_id") {
    parts.push("AND session_id IN (SELECT id FROM sessions WHERE project = ?)");
    values.push(project.path);
  } else if (project) {
    parts.push(`AND ${mine} = ?`);
    values.push(mine === "project" ? project.path : project.id);
  }
  if (since !== undefined && at !== "0") {
    parts.push(`AND ${at} >= ?`);
    values.push(since);
  }
  return { sql: parts.join(" "), values };
}

/** Inserts an imported row, with extra columns of this store. False if a row with that identity already exists. */
export function insertPortable(db: Database, row: PortableRow, extra: Record<string, Value> = {}): boolean {
  const { table, columns, lists = [] } = shapes[row.kind];
  const own = Object.keys(extra).filter((column) => !columns.includes(column));
  const names = [...columns, ...own];
  const values = names.map((column): Value => {
    if (column in extra) return extra[column];
    const value = row[column];
    return lists.includes(column) ? JSON.stringify(value) : (value as Value);
  });
  const marks = names.map(() => "?").join(", ");
  return (
    db.run(`INSERT OR IGNORE INTO ${table} (${names.join(", ")}) VALUES (${marks})`, ...values).changes === 1
  );
}
