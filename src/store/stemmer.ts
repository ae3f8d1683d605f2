import { openDatabase } from "../sqlite/sqlite.ts";

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
