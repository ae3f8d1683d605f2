import type { NoteLine } from "../protocol/viewer.ts";
import { makeConditions, type SearchFilter } from "./memory-match.ts";
import type { Database, Value } from "./sqlite.ts";

export interface BrowseJob {
  filter: SearchFilter;
  until: string | undefined;
  skip: number;
  limit: number;
  isCounted: boolean;
}

const snippetLetters = 240;

/**
 * Notes, newest first. Ids begin with the time, so their own index is the order; filters go through the table that search
 * filters by, too.
 */
export function browseNotes(
  db: Database,
  job: BrowseJob,
): { observations: NoteLine[]; total: number | undefined } {
  const { filter, until, skip, limit } = job;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const { sql, values } = makeConditions({ ...filter, kinds: ["observation"] });
  const from = isFiltered
    ? `(SELECT r.ref AS id FROM memory_rows r WHERE 1 ${sql})`
    : "(SELECT id FROM observations)";
  const bound: Value[] = isFiltered ? values : [];
  const where = until === undefined ? "" : "WHERE id <= ?";
  const cursor = until === undefined ? [] : [until];
  const observations = db.all<NoteLine>(
    `SELECT o.id, o.type, o.title, p.name AS project, o.session_id AS session, o.created_at AS createdAt, o.tokens,
       o.provenance, substr(o.narrative, 1, ${snippetLetters}) AS snippet
     FROM (SELECT id FROM ${from} ${where} ORDER BY id DESC LIMIT ? OFFSET ?) AS page
     JOIN observations o ON o.id = page.id JOIN projects p ON p.id = o.project_id ORDER BY o.id DESC`,
    ...[...bound, ...cursor, limit, skip],
  );
  if (!job.isCounted) return { observations, total: undefined };
  const total = db.get<{ n: number }>(`SELECT count(*) AS n FROM ${from} ${where}`, ...bound, ...cursor)?.n;
  return { observations, total: total ?? 0 };
}
