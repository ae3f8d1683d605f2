import { expect, test } from "vitest";
import { makeThesaurus } from "./thesaurus.ts";
import { type MatchTerm, matchWords } from "./word-match.ts";

/** A stand-in for the index's stemmer. */
const stem = (words: readonly string[]): string[] =>
  words.map((word) => word.replace(/(?:ing|ed|es|s)$/, ""));
const synonymsOf = makeThesaurus(stem);
const termsOf = (words: string): MatchTerm[] =>
  stem(words.split(" ")).map((one) => ({ stem: one, synonyms: synonymsOf(one), weight: 1 }));
const match = (query: string, text: string) => matchWords(termsOf(query), [text], stem)[0];

test("counts the words of the query in any inflection, rare words more", () => {
  expect(match("worker timeout", "Two workers had timeouts.")).toEqual({ coverage: 1, passage: 1 });
  expect(match("worker timeout", "Nothing of the kind.")).toEqual({ coverage: 0, passage: 0 });
  const [rare] = matchWords(
    [
      { stem: "pool", synonyms: [], weight: 3 },
      { stem: "dry", synonyms: [], weight: 1 },
    ],
    ["the pool"],
    stem,
  );
  expect(rare?.coverage).toBe(0.75);
});

test("words that stand together count more than words of the whole text", () => {
  const apart = match("worker pool", "The worker stopped.\nThe pool is empty.");
  expect(apart).toEqual({ coverage: 1, passage: 0.5 });
  expect(match("worker pool", "It stopped. The pool of the worker is empty.")?.passage).toBe(1);
});

test("a word used for the same thing counts half", () => {
  expect(match("login", "The authentication service")?.coverage).toBe(0.5);
  expect(match("removed", "Delete the file")?.coverage).toBe(0.5);
});

test("parts of identifiers are words", () => {
  expect(match("retry delay", "see `retryDelayMs`")?.passage).toBe(1);
  expect(match("retry delay", "see retry_delay_ms")?.passage).toBe(1);
});

test("Chinese, Japanese and Korean text is compared by pairs of characters", () => {
  const terms = ["枯渇", "プー"].map((one) => ({ stem: one, synonyms: [], weight: 1 }));
  const [both, one] = matchWords(terms, ["接続プールが枯渇した。", "枯渇しない。プールは空。"], (words) => [
    ...words,
  ]);
  expect(both).toEqual({ coverage: 1, passage: 1 });
  expect(one).toEqual({ coverage: 1, passage: 0.5 });
});

test("a query without words matches nothing", () => {
  expect(matchWords([], ["text"], stem)).toEqual([{ coverage: 0, passage: 0 }]);
});
