import { type Database, openDatabase } from "../sqlite/sqlite.ts";

export interface Stemmer {
  /** Stems in the order of the words. Pass many at once: one call costs nearly the same for one word as for ten. */
  stem(words: readonly string[]): string[];
  close(): void;
}

const maxKnown = 40_000;

/** Uses SQLite's own tokenizer, so that the stems always match the index. */
export function openStemmer(): Stemmer {
  const db = openDatabase(":memory:");
  db.script(`CREATE VIRTUAL TABLE words USING fts5(word, tokenize = 'porter unicode61 remove_diacritics 2');
    CREATE VIRTUAL TABLE stems USING fts5vocab(words, 'instance')`);
  const known = new Map<string, string>();

  function learn(words: readonly string[]): void {
    for (const word of words) known.set(word, word);
    db.script("BEGIN");
    words.forEach((word, n) => db.run("INSERT INTO words (rowid, word) VALUES (?, ?)", n, word));
    const read = db.all<{ doc: number; term: string }>("SELECT doc, term FROM stems");
    db.script("ROLLBACK");
    for (const { doc, term } of read) known.set(words[doc] as string, term);
  }

  return {
    stem(words) {
      if (known.size > maxKnown) known.clear();
      const unknown = [...new Set(words)].filter((word) => !known.has(word));
      if (unknown.length > 0) learn(unknown);
      return words.map((word) => known.get(word) ?? word);
    },
    close: () => db.close(),
  };
}

/** How many searchable rows contain a word. */
export interface WordCounts {
  rowsWith(word: string): number;
  /** The same for any match expression. */
  rowsMatching(match: string): number;
  /** max(rowid): an upper bound of the row count. */
  total(): number;
}

/** Word frequencies change slowly. */
const cacheMs = 10 * 60_000;
/**
 * The counts of more common words are extrapolated from the newest rows, because a full count would walk the word's
 * entire list. With few rows in total the newest are not representative, and counting is fast.
 */
const maxCounted = { few: 1_000, many: 300 };
const manyRows = 20_000;

export function openWordCounts(db: Database): WordCounts {
  const known = new Map<string, number>();
  let since = 0;

  function total(): number {
    return db.get<{ n: number }>("SELECT coalesce(max(rowid), 1) AS n FROM memory_rows")?.n ?? 1;
  }

  function count(match: string): number {
    const last = total();
    const limit = last < manyRows ? maxCounted.few : maxCounted.many;
    const newest = db.get<{ n: number; first: number }>(
      `SELECT count(*) AS n, coalesce(min(rowid), 0) AS first FROM
         (SELECT rowid FROM memory_fts WHERE memory_fts MATCH ? ORDER BY rowid DESC LIMIT ?)`,
      match,
      limit,
    );
    if (!newest || newest.n < limit) return newest?.n ?? 0;
    return Math.round((newest.n * last) / Math.max(1, last - newest.first + 1));
  }

  function rowsMatching(match: string): number {
    if (performance.now() - since > cacheMs) {
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
