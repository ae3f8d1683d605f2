import { planWords } from "../domain/memory/plan-words.ts";
import type { Query } from "../domain/memory/query.ts";
import { makeMatch, type SearchFilter, scopesOf } from "./memory-match.ts";
import type { Database } from "../sqlite/sqlite.ts";
import type { WordCounts } from "./index-words.ts";

/** Number of top-ranked rows that are examined more closely; higher if a filter will drop some. */
export const maxRanked = { plain: 80, hurried: 40, filtered: 600 };
/** If a scope has less than this share of all rows, matching it is cheaper than filtering afterwards. */
const rareShare = 0.1;

/** Rows ranked by BM25. Filters that the index does not support are not applied yet. */
export function searchWords(
  db: Database,
  counts: WordCounts,
  query: Query,
  filter: SearchFilter,
  limit: number,
  matchWord: (word: string) => string,
): Map<number, number> {
  const { inMatch, share, depth } = planFilter(
    counts,
    filter,
    query.isHurried ? maxRanked.hurried : maxRanked.plain,
  );
  const total = counts.total();
  const words = query.words.map((word) => ({ word, rows: counts.rowsMatching(matchWord(word)) }));
  const { groups, part } = planWords(words, total, share, query.isHurried);
  const match = makeMatch(query, groups, inMatch, matchWord);
  if (!match) return new Map();
  const hits = db.all<{ row: number; score: number }>(
    `SELECT rowid AS row, -bm25(memory_fts, 2.0, 1.0, 0.25, 0.0) AS score FROM memory_fts
     WHERE memory_fts MATCH ? AND rowid > ? ORDER BY score DESC LIMIT ?`,
    match,
    Math.floor(total * (1 - part)),
    Math.max(limit, depth),
  );
  return new Map(hits.map(({ row, score }) => [row, score]));
}

interface FilterPlan {
  /** Filters included in the match, and the share of all rows that pass them. */
  inMatch: string[][];
  share: number;
  depth: number;
}

/**
 * Filters that few rows pass become part of the match; the others are applied to the top-ranked rows: the fewer rows
 * pass, the more are read.
 */
function planFilter(counts: WordCounts, filter: SearchFilter, wanted: number): FilterPlan {
  const total = counts.total();
  const share = (tokens: string[]): number =>
    Math.min(1, tokens.reduce((sum, token) => sum + counts.rowsWith(token), 0) / total);
  const scopes = scopesOf(filter);
  const inMatch = scopes.filter((tokens) => share(tokens) < rareShare);
  const together = (lists: string[][]): number => lists.reduce((part, tokens) => part * share(tokens), 1);
  const passing = together(scopes.filter((tokens) => !inMatch.includes(tokens)));
  return {
    inMatch,
    share: together(inMatch),
    depth: isNarrow(filter) ? maxRanked.filtered : Math.min(maxRanked.filtered, Math.ceil(wanted / passing)),
  };
}

/** Whether a filter needs columns that are not in the index. */
export function isNarrow({ sessionId, host, file, folder, from, to }: SearchFilter): boolean {
  return [sessionId, host, file, folder, from, to].some((value) => value !== undefined);
}
