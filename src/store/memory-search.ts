import { affordWords } from "../domain/memory/afford-words.ts";
import type { Query } from "../domain/memory/query.ts";
import { makeSnippet } from "../domain/memory/snippet.ts";
import { isStopWord, listWords, splitIdentifiers } from "../domain/memory/words.ts";
import type { MemoryKind } from "./memory-index.ts";
import { makeConditions, makeMatch, type SearchFilter, scopesOf } from "./memory-match.ts";
import { type Database, openDatabase } from "./sqlite.ts";
import { openStemmer } from "./stemmer.ts";
import { openWordCounts } from "./word-counts.ts";

export interface Hit {
  row: number;
  kind: MemoryKind;
  ref: string;
  projectId: string;
  sessionId: string | null;
  createdAt: number;
  /** Higher is better. */
  score: number;
  /** A phrase was asked for and nothing has it: this is merely near. */
  isInexact?: boolean;
}

/** A hit with what a reader needs to judge it. */
export interface Found extends Hit {
  title: string;
  type: string | null;
  snippet: string;
  /** The query's words that stand in it. */
  matched: string[];
  /** How much of what was asked it speaks of: 1 is all, rare words count more. */
  coverage: number;
}

/** The reading side of search, on a connection of its own. */
export interface MemorySearch {
  search(query: Query, filter: SearchFilter, limit: number): Hit[];
  /** The same, read and explained. */
  find(query: Query, filter: SearchFilter, limit: number): Found[];
  close(): void;
}

/** Looked at more closely after the index has ranked them; more where a filter will drop some. */
const most = { plain: 80, filtered: 600 };
/** A scope that holds less than this share of everything is cheaper to match than to filter afterwards. */
const rareShare = 0.1;
const neighbourShare = 0.3;
/** Recency only decides between equals: a stronger pull costs more than it brings. */
const recencyShare = 0.02;
const recencyHalfLifeMs = 30 * 24 * 3600_000;
export function openMemorySearch(path: string): MemorySearch {
  const db = openDatabase(path, { readOnly: true });
  const stemmer = openStemmer();
  const counts = openWordCounts(db);

  /**
   * Filters that few rows pass go into the match; the others are checked on what the index ranked highest, so more of
   * that is taken, the fewer rows they let through.
   */
  function planFilter(filter: SearchFilter): FilterPlan {
    const total = counts.total();
    const share = (tokens: string[]): number =>
      Math.min(1, tokens.reduce((sum, token) => sum + counts.rowsWith(token), 0) / total);
    const scopes = scopesOf(filter);
    const inMatch = scopes.filter((tokens) => share(tokens) < rareShare);
    const together = (lists: string[][]): number => lists.reduce((part, tokens) => part * share(tokens), 1);
    const passing = together(scopes.filter((tokens) => !inMatch.includes(tokens)));
    const isNarrow = filter.sessionId ?? filter.file ?? filter.folder ?? filter.from ?? filter.to;
    return {
      inMatch,
      share: together(inMatch),
      depth:
        isNarrow === undefined ? Math.min(most.filtered, Math.ceil(most.plain / passing)) : most.filtered,
    };
  }

  /** A word that no row has weighs as much as the rarest: what is asked for and not there counts against a hit. */
  function weighWords(query: Query): WeighedWord[] {
    const total = counts.total();
    return [...query.words, ...query.phrases.flat()].map((word) => {
      const stem = stemmer.stem(word);
      return { word, stem, weight: Math.log(1 + total / (1 + counts.rowsWith(word))) };
    });
  }

  function explain(hit: Hit, words: readonly WeighedWord[]): Found {
    const { title, body, type } = readText(db, hit);
    const text = `${title} ${body}`;
    const present = new Set([...listWords(text), ...splitIdentifiers(text)]);
    const isThere = ({ word, stem }: WeighedWord): boolean =>
      present.has(word) ||
      [...present].some((other) => startAlike(other, word) && stemmer.stem(other) === stem);
    const matched = words.filter(isThere);
    const sum = (list: readonly WeighedWord[]): number =>
      list.reduce((total, { weight }) => total + weight, 0);
    const coverage = words.length === 0 ? 0 : sum(matched) / sum(words);
    const names = matched.map(({ word }) => word);
    return { ...hit, title, type, matched: names, coverage, snippet: makeSnippet(body, names) };
  }

  const self: MemorySearch = {
    find(query, filter, limit) {
      const words = weighWords(query);
      return self.search(query, filter, limit).map((hit) => explain(hit, words));
    },
    search(query, filter, limit) {
      const { inMatch, share, depth } = planFilter(filter);
      const total = counts.total();
      const words = query.words.map((word) => ({ word, rows: counts.rowsWith(word) }));
      const { groups, part } = affordWords(words, total, share);
      const match = makeMatch(query, groups, inMatch);
      if (!match) return [];
      const oldest = Math.floor(total * (1 - part));
      const { sql, values } = makeConditions(filter);
      const hits = db.all<Hit>(
        `SELECT r.rowid AS row, r.kind, r.ref, r.project_id AS projectId, r.session_id AS sessionId, r.created_at AS createdAt,
           best.score
         FROM (SELECT rowid, -bm25(memory_fts, 2.0, 1.0, 0.25, 0.0) AS score FROM memory_fts WHERE memory_fts MATCH ?
               AND rowid > ? ORDER BY score DESC LIMIT ${Math.max(limit, depth)}) AS best
         JOIN memory_rows r ON r.rowid = best.rowid ${sql} ORDER BY best.score DESC`,
        ...[match, oldest, ...values],
      );
      if (hits.length === 0 && query.phrases.length > 0)
        return self.search(withoutPhrases(query), filter, limit).map(markInexact);
      return rank(hits).slice(0, limit);
    },
    close() {
      db.close();
      stemmer.close();
    },
  };
  return self;
}

interface FilterPlan {
  /** Filters that are part of the match, and the share of all rows they leave. */
  inMatch: string[][];
  share: number;
  depth: number;
}

interface WeighedWord {
  word: string;
  stem: string;
  weight: number;
}

/** Words of one stem begin alike: only those are worth asking the stemmer about. */
function startAlike(a: string, b: string): boolean {
  return a.charCodeAt(0) === b.charCodeAt(0) && a.slice(0, 3) === b.slice(0, 3);
}

interface RowText {
  title: string;
  body: string;
  type: string | null;
}

const textOf: Record<MemoryKind, string> = {
  observation: "SELECT title, narrative || char(10) || facts AS body, type FROM observations WHERE id = ?",
  summary:
    "SELECT request AS title, completed || char(10) || learned || char(10) || next_steps AS body, NULL AS type FROM summaries WHERE id = ?",
  prompt: "SELECT '' AS title, text AS body, NULL AS type FROM prompts WHERE event_id = ?",
};

function readText(db: Database, { kind, ref }: Hit): RowText {
  return db.get<RowText>(textOf[kind], ref) ?? { title: "", body: "", type: null };
}

/** Nobody has the exact words: the nearest, said to be that, are better than nothing. */
function withoutPhrases({ words, phrases, excluded }: Query): Query {
  return {
    words: [...new Set([...words, ...phrases.flat().filter((word) => !isStopWord(word))])],
    phrases: [],
    excluded,
  };
}

function markInexact(hit: Hit): Hit {
  return { ...hit, isInexact: true };
}

/** Neighbours in the same session speak of the same thing: part of their score is one's own. */
function rank(hits: Hit[]): Hit[] {
  const byRow = new Map(hits.map((hit) => [hit.row, hit]));
  const newest = Math.max(...hits.map(({ createdAt }) => createdAt));
  return hits
    .map((hit) => {
      const beside = [byRow.get(hit.row - 1), byRow.get(hit.row + 1)].filter(
        (other) => other?.sessionId === hit.sessionId && hit.sessionId,
      );
      const borrowed = neighbourShare * Math.max(0, ...beside.map((other) => other?.score ?? 0));
      const recency = 2 ** ((hit.createdAt - newest) / recencyHalfLifeMs);
      return { ...hit, score: (hit.score + borrowed) * (1 + recencyShare * recency) };
    })
    .toSorted((a, b) => b.score - a.score || b.createdAt - a.createdAt);
}
