import type { Database } from "../sqlite/sqlite.ts";

/** How often words stand in what can be searched. */
export interface WordCounts {
  rowsWith(word: string): number;
  /** The same for whatever the index can be asked. */
  rowsMatching(match: string): number;
  /** The highest row: as good as their number. */
  total(): number;
}

/** How often a word occurs changes slowly. */
const lastsMs = 10 * 60_000;
/**
 * What is commoner than this is reckoned from its newest rows: counting it would mean walking its whole list. Where there are
 * few rows in all, the newest tell little of the rest, and counting is quick.
 */
const mostCounted = { few: 1_000, many: 300 };
const manyRows = 20_000;

export function openWordCounts(db: Database): WordCounts {
  const known = new Map<string, number>();
  let since = 0;

  function total(): number {
    return db.get<{ n: number }>("SELECT coalesce(max(rowid), 1) AS n FROM memory_rows")?.n ?? 1;
  }

  function count(match: string): number {
    const last = total();
    const most = last < manyRows ? mostCounted.few : mostCounted.many;
    const newest = db.get<{ n: number; first: number }>(
      `SELECT count(*) AS n, coalesce(min(rowid), 0) AS first FROM
         (SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? ORDER BY rowid DESC LIMIT ?)`,
      match,
      most,
    );
    if (!newest || newest.n < most) return newest?.n ?? 0;
    return Math.round((newest.n * last) / Math.max(1, last - newest.first + 1));
  }

  function rowsMatching(match: string): number {
    if (performance.now() - since > lastsMs) {
      known.clear();
      since = performance.now();
    }
    let rows = known.get(match);
    if (rows === undefined) {
      rows = count(match);
      known.set(match, rows);
    }
    return rows;
  }

  return { total, rowsMatching, rowsWith: (word) => rowsMatching(`"${word}"`) };
}
