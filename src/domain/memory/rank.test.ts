import { describe, expect, it } from "vitest";
import type { WordMatch } from "./word-match.ts";
import { type Candidate, choosePromising, combineScores, isRelevant, rank } from "./rank.ts";

const day = 24 * 3600_000;
const candidate = (row: number, fields: Partial<Candidate>): Candidate => ({
  row,
  sessionId: null,
  createdAt: 0,
  wordScore: 0,
  spellingScore: undefined,
  cosine: undefined,
  ...fields,
});
const makeMatch = (fields: Partial<WordMatch>): WordMatch => ({
  ...{ coverage: 0, literal: 0, known: 1, passage: 0, dense: 0, mean: 0, pair: 0, lead: 0, said: 0 },
  ...{ frequency: 5, words: 30, passages: 3 },
  ...fields,
});
const order = (candidates: Candidate[]): number[] => rank(candidates, 1_000).map(({ row }) => row);

describe("ranking", () => {
  it.each([
    ["more words win", { wordScore: 9 }, { wordScore: 8 }],
    [
      "with equal words the nearer meaning wins",
      { wordScore: 8, cosine: 0.6 },
      { wordScore: 8, cosine: 0.2 },
    ],
    ["a clear meaning outweighs a weak word", { cosine: 0.7 }, { wordScore: 2, cosine: 0.1 }],
    ["a strong match of words outweighs a vague meaning", { wordScore: 14, cosine: 0.1 }, { cosine: 0.5 }],
    [
      "with equal words the better spelling wins",
      { wordScore: 8, spellingScore: 1 },
      { wordScore: 8, spellingScore: 0.5 },
    ],
    [
      "the best by its letters may pass the best by its words",
      { wordScore: 7, spellingScore: 1 },
      { wordScore: 9, spellingScore: 0.2 },
    ],
    [
      "but not where it has hardly a word",
      { wordScore: 9, spellingScore: 0.2 },
      { wordScore: 1, spellingScore: 1 },
    ],
    ["no vector is no worse than an unrelated one", { wordScore: 8 }, { wordScore: 8, cosine: 0.05 }],
    ["the newer of equals wins", { wordScore: 8, createdAt: 90 * day }, { wordScore: 8 }],
    ["but being new is no match", { wordScore: 9 }, { wordScore: 8, createdAt: 90 * day }],
  ])("%s", (_case, better, worse) => {
    expect(order([candidate(1, worse), candidate(10, better)])).toEqual([10, 1]);
  });

  it("raises the score of neighbours in the same session", () => {
    const strong = candidate(5, { sessionId: "a", wordScore: 14 });
    const beside = candidate(6, { sessionId: "a", wordScore: 5 });
    const alone = candidate(9, { sessionId: "b", wordScore: 6 });
    const elsewhere = candidate(4, { sessionId: "c", wordScore: 5 });
    const ranked = rank([elsewhere, alone, beside, strong], 1_000);
    expect(ranked.map(({ row }) => row)).toEqual([5, 6, 9, 4]);
    expect(ranked.find(({ row }) => row === 6)?.borrowed).toBeGreaterThan(0);
    expect(ranked.find(({ row }) => row === 4)?.borrowed).toBe(0);
  });

  it("scales word scores by the number of rows, so that meaning keeps its weight in a large memory", () => {
    const match = candidate(1, { wordScore: 12 });
    const field = { totalRows: 1_000, maxWords: 12, paraphrase: 0 };
    expect(combineScores(match, field)).toBeGreaterThan(
      combineScores(match, { ...field, totalRows: 1_000_000 }),
    );
    expect(combineScores(candidate(1, { cosine: -0.5 }), field)).toBe(0);
  });

  it("counts words that stand together only for a query that no text repeats literally", () => {
    const apart = makeMatch({ coverage: 0.4, literal: 0.4, passage: 0.2, dense: 0.2, pair: 0.2 });
    const repeated = candidate(1, { wordScore: 6, match: apart });
    const together = candidate(3, { wordScore: 5, match: { ...apart, passage: 0.4, dense: 0.4, pair: 0.4 } });
    const literal = candidate(5, { wordScore: 1, match: { ...apart, coverage: 0.9, literal: 0.9 } });
    const order = (...all: Candidate[]): number[] => rank(all, 1_000).map(({ row }) => row);
    expect(order(repeated, together)).toEqual([3, 1]);
    expect(order(repeated, together, literal)).toEqual([1, 3, 5]);
  });

  it("compares the spelling of only the best by words and meaning", () => {
    const many = Array.from({ length: 200 }, (_, n) => candidate(n, { wordScore: (n % 100) / 10 }));
    const near = candidate(500, { cosine: 0.9 });
    const chosen = choosePromising([...many, near], 1_000, 60);
    expect(chosen).toHaveLength(60);
    expect(chosen).toContain(near);
    expect(chosen.filter(({ wordScore }) => wordScore > 0 && wordScore < 7)).toEqual([]);
  });

  it("accepts a text without a common word only if its meaning is clearly similar", () => {
    expect(isRelevant(candidate(1, { cosine: 0.2 }))).toBe(false);
    expect(isRelevant(candidate(1, { cosine: 0.4 }))).toBe(true);
    expect(isRelevant(candidate(1, { wordScore: 1, cosine: -0.2 }))).toBe(true);
  });
});
