import { expect, test } from "vitest";
import { makeThesaurus } from "./thesaurus.ts";
import { type MatchTerm, matchWords } from "./word-match.ts";

/** A stand-in for the index's stemmer. */
const stem = (words: readonly string[]): string[] =>
  words.map((word) => word.replace(/(?:ing|ed|es|s)$/, ""));
const synonymsOf = makeThesaurus(stem);
const termsOf = (words: string): MatchTerm[] =>
  stem(words.split(" ")).map((one) => ({ stem: one, synonyms: synonymsOf(one), weight: 1 }));
const match = (query: string, text: string) =>
  matchWords(termsOf(query), [{ lead: "", said: text }], stem)[0];

test("counts the words of the query in any inflection, rare words more", () => {
  expect(match("worker timeout", "Two workers had timeouts.")?.coverage).toBe(1);
  expect(match("worker timeout", "Nothing of the kind.")).toMatchObject({ coverage: 0, passage: 0 });
  const [rare] = matchWords(
    [
      { stem: "pool", synonyms: new Map(), weight: 3 },
      { stem: "dry", synonyms: new Map(), weight: 1 },
    ],
    [{ lead: "", said: "the pool" }],
    stem,
  );
  expect(rare?.coverage).toBe(0.75);
});

test("tells how much of the query the texts contain between them", () => {
  const texts = ["The pool is empty.", "A worker stopped."].map((said) => ({ lead: "", said }));
  const found = matchWords(termsOf("worker pool kettle vase"), texts, stem);
  expect(found.map(({ coverage, known }) => [coverage, known])).toEqual([
    [0.25, 0.5],
    [0.25, 0.5],
  ]);
});

test("words that stand together count more than words of the whole text", () => {
  const apart = match("worker pool", "The worker stopped.\nThe pool is empty.");
  const together = match("worker pool", "It stopped. The pool of the worker is empty.");
  expect(apart?.coverage).toBe(together?.coverage);
  expect(apart?.passage).toBeLessThan(together?.passage ?? 0);
});

test("a long sentence contains words by chance, and several sentences say more than one", () => {
  const one = match("worker pool", "The worker pool is empty.");
  const long = match("worker pool", `The pool ${"and so on ".repeat(20)} of the worker is empty.`);
  const two = match("worker pool", "The worker pool is empty. A worker takes two of the pool.");
  expect(long?.passage).toBe(one?.passage);
  expect(long?.dense).toBeLessThan(one?.dense ?? 0);
  expect(two?.mean).toBeGreaterThan(one?.mean ?? 0);
});

test("sentences side by side count together", () => {
  expect(match("worker pool", "The worker stopped. The pool is empty.")?.pair).toBe(1);
  expect(match("worker pool", "The worker stopped. Then it rained. The pool is empty.")?.pair).toBe(0.5);
});

test("the title and the body are also matched by themselves", () => {
  const [found] = matchWords(termsOf("worker pool"), [{ lead: "Pool", said: "It was the worker." }], stem);
  expect(found).toMatchObject({ lead: 0.5, said: 0.5, coverage: 1, passages: 2, words: 5 });
});

test("a word that is repeated counts more, and less in a long text", () => {
  const frequencyOf = (text: string): number => {
    const other = { lead: "", said: "Nothing of the kind." };
    return matchWords(termsOf("pool"), [{ lead: "", said: text }, other], stem)[0]?.frequency ?? 0;
  };
  expect(frequencyOf("The pool. A pool.")).toBeGreaterThan(frequencyOf("The pool."));
  expect(frequencyOf(`The pool. ${"And so on. ".repeat(20)}`)).toBeLessThan(frequencyOf("The pool."));
});

test("a word used for the same thing counts in part, another form of the word in full", () => {
  expect(match("login", "The authentication service")?.coverage).toBe(0.7);
  expect(match("removed", "Delete the file")?.coverage).toBe(0.7);
  expect(match("abandoned", "An orphan lock")?.coverage).toBe(0.7);
  expect(match("orphans", "The lock is abandoned")?.coverage).toBe(0.7);
  expect(match("login", "The authentication service")?.literal).toBe(0);
  expect(match("written", "It wrote the file")).toMatchObject({ coverage: 1, literal: 1 });
});

test("parts of identifiers are words", () => {
  expect(match("retry delay", "see `retryDelayMs`")?.coverage).toBe(1);
  expect(match("retry delay", "see retry_delay_ms")?.coverage).toBe(1);
});

test("Chinese, Japanese and Korean text is compared by pairs of characters", () => {
  const terms = ["枯渇", "プー"].map((one) => ({ stem: one, synonyms: new Map(), weight: 1 }));
  const texts = ["接続プールが枯渇した。", "枯渇しない。プールは空。"].map((said) => ({ lead: "", said }));
  const [both, one] = matchWords(terms, texts, (words) => [...words]);
  expect(both?.coverage).toBe(1);
  expect(one?.coverage).toBe(1);
  expect(one?.passage).toBeLessThan(both?.passage ?? 0);
});

test("a query without words matches nothing", () => {
  const [none] = matchWords([], [{ lead: "", said: "text" }], stem);
  expect(none).toMatchObject({ coverage: 0, literal: 0, passage: 0, frequency: 0 });
});
