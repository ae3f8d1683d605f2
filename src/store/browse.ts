import type { NoteLine } from "../protocol/viewer.ts";
import { clip } from "../shared/text.ts";
import type { MemoryKind } from "./memory-index.ts";
import { makeConditions, type SearchFilter } from "./memory-match.ts";
import { readText } from "./memory-text.ts";
import type { Database, Value } from "../sqlite/sqlite.ts";

export interface BrowseJob {
  kind: MemoryKind;
  filter: SearchFilter;
  until: string | undefined;
  skip: number;
  limit: number;
  isCounted: boolean;
}

interface BrowsedLine extends Omit<NoteLine, "kind"> {
  kind: MemoryKind;
}

export interface BrowsePage {
  observations: BrowsedLine[];
  total?: number | undefined;
}

const snippetLetters = 240;
const titleLetters = 100;

/** Lists memories of one kind, newest first. */
export function browse(db: Database, job: BrowseJob): BrowsePage {
  return job.kind === "observation" ? browseNotes(db, job) : browseOthers(db, job);
}

/** Note ids begin with the time, so the primary key gives the order; filters use the same table as search. */
function browseNotes(db: Database, { filter, until, skip, limit, isCounted }: BrowseJob): BrowsePage {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const { sql, values } = makeConditions({ ...filter, kinds: ["observation"] });
  const from = isFiltered
    ? `(SELECT r.ref AS id FROM memory_rows r WHERE 1 ${sql})`
    : "(SELECT id FROM observations)";
  const bound: Value[] = isFiltered ? values : [];
  const where = until === undefined ? "" : "WHERE id <= ?";
  const cursor = until === undefined ? [] : [until];
  const observations = db.all<BrowsedLine>(
    `SELECT o.id, 'observation' AS kind, o.type, o.title, p.name AS project, o.session_id AS session,
       o.created_at AS createdAt, substr(o.narrative, 1, ${snippetLetters}) AS snippet
     FROM (SELECT id FROM ${from} ${where} ORDER BY id DESC LIMIT ? OFFSET ?) AS page
     JOIN observations o ON o.id = page.id JOIN projects p ON p.id = o.project_id ORDER BY o.id DESC`,
    ...bound,
    ...cursor,
    limit,
    skip,
  );
  if (!isCounted) return { observations, total: undefined };
  const total = db.get<{ n: number }>(`SELECT count(*) AS n FROM ${from} ${where}`, ...bound, ...cursor)?.n;
  return { observations, total: total ?? 0 };
}

/** Ids of other kinds do not sort by time, and their texts are in several tables. */
function browseOthers(db: Database, { kind, filter, until, skip, limit, isCounted }: BrowseJob): BrowsePage {
  const { sql, values } = makeConditions({ ...filter, kinds: [kind] });
  const isOlder =
    until === undefined
      ? ""
      : "AND r.created_at <= (SELECT created_at FROM memory_rows WHERE kind = ? AND ref = ?)";
  const bound: Value[] = until === undefined ? values : [...values, kind, until];
  const rows = db.all<Omit<BrowsedLine, "title" | "snippet"> & { row: number }>(
    `SELECT r.rowid AS row, r.ref AS id, r.kind, NULL AS type, p.name AS project, r.session_id AS session,
       r.created_at AS createdAt
     FROM memory_rows r JOIN projects p ON p.id = r.project_id WHERE 1 ${sql} ${isOlder}
     ORDER BY r.created_at DESC, r.rowid DESC LIMIT ? OFFSET ?`,
    ...bound,
    limit,
    skip,
  );
  const observations = rows.map(({ row, ...line }) => {
    const { title, body } = readText(db, { row, kind, ref: line.id });
    const flat = body
      .slice(0, 4 * snippetLetters)
      .replace(/\s+/g, " ")
      .trim();
    return { ...line, title: title || clip(flat, titleLetters), snippet: flat.slice(0, snippetLetters) };
  });
  if (!isCounted) return { observations, total: undefined };
  const counted = db.get<{ n: number }>(
    `SELECT count(*) AS n FROM memory_rows r WHERE 1 ${sql} ${isOlder}`,
    ...bound,
  );
  return { observations, total: counted?.n ?? 0 };
}
