import type { Query } from "../domain/memory/query.ts";
import { makeSnippet } from "../domain/memory/snippet.ts";
import { isStopWord, listWords, splitIdentifiers } from "../domain/memory/words.ts";
import { type MemoryKind, scopeToken } from "./memory-index.ts";
import { type Database, openDatabase, type Value } from "./sqlite.ts";

export interface SearchFilter {
  projectIds?: readonly string[];
  kinds?: readonly MemoryKind[];
  types?: readonly string[];
  sessionId?: string;
  file?: string;
  /** Direct children only. */
  folder?: string;
  from?: number;
  to?: number;
}

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

/** Ranking costs time for every row that matches any word: beyond this, the commonest words are left out. */
const mostRows = 6_000;
/** Looked at more closely after the index has ranked them; more where a filter will drop some. */
const most = { plain: 80, filtered: 600 };
/** A scope that holds less than this share of everything is cheaper to match than to filter afterwards. */
const rareShare = 0.1;
const neighbourShare = 0.3;
/** Recency only decides between equals: a stronger pull costs more than it brings. */
const recencyShare = 0.02;
const recencyHalfLifeMs = 30 * 24 * 3600_000;
/** How often a word occurs changes slowly, and counting a common one means walking its whole list. */
const countsLastMs = 10 * 60_000;

export function openMemorySearch(path: string): MemorySearch {
  const db = openDatabase(path, { readOnly: true });
  const stemmer = openStemmer();
  const counts = new Map<string, number>();
  let countedAt = 0;

  function rowsWith(term: string): number {
    if (performance.now() - countedAt > countsLastMs) {
      counts.clear();
      countedAt = performance.now();
    }
    let rows = counts.get(term);
    if (rows === undefined) {
      rows = db.get<{ doc: number }>("SELECT doc FROM memory_vocab WHERE term = ?", term)?.doc ?? 0;
      counts.set(term, rows);
    }
    return rows;
  }

  /** The rarest words that together match few enough rows; at least the two rarest. */
  function affordable(words: readonly string[]): string[] {
    let total = 0;
    return words
      .map((word) => ({ word, rows: rowsWith(stemmer.stem(word)) }))
      .toSorted((a, b) => a.rows - b.rows)
      .filter(({ rows }, index) => (total += rows) <= mostRows || index < 2)
      .map(({ word }) => word);
  }

  /**
   * Filters that few rows pass go into the match; the others are checked on what the index ranked highest, so more of
   * that is taken, the fewer rows they let through.
   */
  function planFilter(filter: SearchFilter): { inMatch: string[][]; depth: number } {
    const total = db.get<{ n: number }>("SELECT coalesce(max(rowid), 1) AS n FROM memory_rows")?.n ?? 1;
    const share = (tokens: string[]): number =>
      tokens.reduce((sum, token) => sum + rowsWith(token), 0) / total;
    const scopes = scopesOf(filter);
    const inMatch = scopes.filter((tokens) => share(tokens) < rareShare);
    const passing = scopes
      .filter((tokens) => !inMatch.includes(tokens))
      .reduce((part, tokens) => part * Math.min(1, share(tokens)), 1);
    const isNarrow = filter.sessionId ?? filter.file ?? filter.folder ?? filter.from ?? filter.to;
    return {
      inMatch,
      depth:
        isNarrow === undefined ? Math.min(most.filtered, Math.ceil(most.plain / passing)) : most.filtered,
    };
  }

  /** A word that no row has weighs as much as the rarest: what is asked for and not there counts against a hit. */
  function weigh(word: string): number {
    const total = db.get<{ n: number }>("SELECT coalesce(max(rowid), 1) AS n FROM memory_rows")?.n ?? 1;
    return Math.log(1 + total / (1 + rowsWith(stemmer.stem(word))));
  }

  function explain(hit: Hit, query: Query): Found {
    const { title, body, type } = readText(db, hit);
    const present = new Set(
      listWords(`${title} ${body} ${splitIdentifiers(`${title} ${body}`).join(" ")}`).map(stemmer.stem),
    );
    const words = [...query.words, ...query.phrases.flat()];
    const matched = words.filter((word) => present.has(stemmer.stem(word)));
    const sum = (list: readonly string[]): number => list.reduce((total, word) => total + weigh(word), 0);
    const coverage = words.length === 0 ? 0 : sum(matched) / sum(words);
    return { ...hit, title, type, matched, coverage, snippet: makeSnippet(body, matched) };
  }

  const self: MemorySearch = {
    find: (query, filter, limit) => self.search(query, filter, limit).map((hit) => explain(hit, query)),
    search(query, filter, limit) {
      const words = affordable(query.words);
      const { inMatch, depth } = planFilter(filter);
      const match = makeMatch(query, words, inMatch);
      if (!match) return [];
      const { sql, values } = makeConditions(filter);
      const hits = db.all<Hit>(
        `SELECT r.rowid AS row, r.kind, r.ref, r.project_id AS projectId, r.session_id AS sessionId, r.created_at AS createdAt,
           best.score
         FROM (SELECT rowid, -bm25(memory_fts, 2.0, 1.0, 0.25, 0.0) AS score FROM memory_fts WHERE memory_fts MATCH ?
               ORDER BY score DESC LIMIT ${Math.max(limit, depth)}) AS best
         JOIN memory_rows r ON r.rowid = best.rowid ${sql} ORDER BY best.score DESC`,
        match,
        ...values,
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

function makeMatch(query: Query, words: readonly string[], scopes: readonly string[][]): string | undefined {
  const phrases = query.phrases.map(quotePhrase);
  // A phrase must be there; words beside it only help the ranking, so they stand where the phrase satisfies them too.
  const anyOf = [...(words.length > 0 ? phrases : []), ...words.map(quote)].join(" OR ");
  const positive = [...phrases, ...(anyOf ? [`(${anyOf})`] : [])].map(
    (part) => `{title body pieces} : ${part}`,
  );
  if (positive.length === 0) return undefined;
  const scoped = scopes.map((tokens) => `scope : (${tokens.join(" OR ")})`);
  const all = [...scoped, ...positive].map((part) => `(${part})`).join(" AND ");
  return query.excluded
    .filter((excluded) => excluded.length > 0)
    .reduce((match, excluded) => `(${match}) NOT ({title body pieces} : ${quotePhrase(excluded)})`, all);
}

/** One list of alternatives for each filter that the index knows. */
function scopesOf(filter: SearchFilter): string[][] {
  const tokens = (what: "project" | "kind" | "type", values: readonly string[] = []): string[] =>
    values.map((value) => scopeToken(what, value));
  const all = [
    tokens("project", filter.projectIds),
    tokens("kind", filter.kinds),
    tokens("type", filter.types),
  ];
  return all.filter((alternatives) => alternatives.length > 0);
}

function makeConditions(filter: SearchFilter): { sql: string; values: Value[] } {
  const parts: string[] = [];
  const values: Value[] = [];
  const add = (sql: string, ...bound: Value[]): void => {
    parts.push(`AND ${sql}`);
    values.push(...bound);
  };
  const oneOf = (column: string, allowed: readonly string[] = []): void => {
    if (allowed.length > 0) add(`${column} IN (${allowed.map(() => "?").join(", ")})`, ...allowed);
  };
  oneOf("r.project_id", filter.projectIds);
  oneOf("r.kind", filter.kinds);
  oneOf("r.type", filter.types);
  if (filter.sessionId) add("r.session_id = ?", filter.sessionId);
  if (filter.from !== undefined) add("r.created_at >= ?", filter.from);
  if (filter.to !== undefined) add("r.created_at <= ?", filter.to);
  if (filter.file)
    add(
      "EXISTS (SELECT 1 FROM memory_files f WHERE f.row = r.rowid AND (f.path = ? OR f.path LIKE ? ESCAPE '\\'))",
      filter.file,
      `%/${escapeLike(filter.file)}`,
    );
  if (filter.folder) {
    const folder = filter.folder.replace(/\/+$/, "");
    const like = `${escapeLike(folder)}/%`;
    add(
      "EXISTS (SELECT 1 FROM memory_files f WHERE f.row = r.rowid AND f.path LIKE ? ESCAPE '\\' AND f.path NOT LIKE ? ESCAPE '\\')",
      like,
      `${like}/%`,
    );
  }
  return { sql: parts.join(" "), values };
}

function quote(word: string): string {
  return `"${word.replaceAll('"', "")}"`;
}

function quotePhrase(words: readonly string[]): string {
  return `"${words.join(" ").replaceAll('"', "")}"`;
}

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

interface Stemmer {
  stem(word: string): string;
  close(): void;
}

/** Asks SQLite's own tokenizer what it makes of a word: a second stemmer of ours could only disagree with it. */
function openStemmer(): Stemmer {
  const db = openDatabase(":memory:");
  db.script(`CREATE VIRTUAL TABLE words USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE stems USING fts5vocab(words, 'row')`);
  const known = new Map<string, string>();
  return {
    stem(word) {
      let stem = known.get(word);
      if (stem === undefined) {
        db.run("INSERT INTO words (rowid, word) VALUES (1, ?)", word);
        stem = db.get<{ term: string }>("SELECT term FROM stems LIMIT 1")?.term ?? word;
        db.run("DELETE FROM words WHERE rowid = 1");
        if (known.size > 10_000) known.clear();
        known.set(word, stem);
      }
      return stem;
    },
    close: () => db.close(),
  };
}
