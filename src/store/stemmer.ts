import { openDatabase } from "./sqlite.ts";

export interface Stemmer {
  stem(word: string): string;
  close(): void;
}

/** Asks SQLite's own tokenizer what it makes of a word: a second stemmer of ours could only disagree with it. */
export function openStemmer(): Stemmer {
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
