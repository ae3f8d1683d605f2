import { describe, expect, it } from "vitest";
import { type Candidate, choosePromising, fuse, isFind, rank } from "./rank.ts";

const day = 24 * 3600_000;
const candidate = (row: number, fields: Partial<Candidate>): Candidate => ({
  row,
  sessionId: null,
  createdAt: 0,
  words: 0,
  spelling: undefined,
  meaning: undefined,
  ...fields,
});
const order = (candidates: Candidate[]): number[] => rank(candidates, 1_000).map(({ row }) => row);

describe("ranking", () => {
  it.each([
    ["more words win", { words: 9 }, { words: 8 }],
    ["with equal words the nearer meaning wins", { words: 8, meaning: 0.6 }, { words: 8, meaning: 0.2 }],
    ["a clear meaning outweighs a weak word", { meaning: 0.7 }, { words: 2, meaning: 0.1 }],
    ["a strong match of words outweighs a vague meaning", { words: 14, meaning: 0.1 }, { meaning: 0.5 }],
    ["with equal words the better spelling wins", { words: 8, spelling: 1 }, { words: 8, spelling: 0.5 }],
    [
      "the best by its letters may pass the best by its words",
      { words: 7, spelling: 1 },
      { words: 9, spelling: 0.2 },
    ],
    ["but not where it has hardly a word", { words: 9, spelling: 0.2 }, { words: 1, spelling: 1 }],
    ["no vector is no worse than an unrelated one", { words: 8 }, { words: 8, meaning: 0.05 }],
    ["the newer of equals wins", { words: 8, createdAt: 90 * day }, { words: 8 }],
    ["but being new is no match", { words: 9 }, { words: 8, createdAt: 90 * day }],
  ])("%s", (_case, better, worse) => {
    expect(order([candidate(1, worse), candidate(10, better)])).toEqual([10, 1]);
  });

  it("raises the score of neighbours in the same session", () => {
    const strong = candidate(5, { sessionId: "a", words: 14 });
    const beside = candidate(6, { sessionId: "a", words: 5 });
    const alone = candidate(9, { sessionId: "b", words: 6 });
    const elsewhere = candidate(4, { sessionId: "c", words: 5 });
    const ranked = rank([elsewhere, alone, beside, strong], 1_000);
    expect(ranked.map(({ row }) => row)).toEqual([5, 6, 9, 4]);
    expect(ranked.find(({ row }) => row === 6)?.borrowed).toBeGreaterThan(0);
    expect(ranked.find(({ row }) => row === 4)?.borrowed).toBe(0);
  });

  it("scales word scores by the number of rows, so that meaning keeps its weight in a large memory", () => {
    const match = candidate(1, { words: 12 });
    const field = { totalRows: 1_000, maxWords: 12, paraphrase: 0 };
    expect(fuse(match, field)).toBeGreaterThan(fuse(match, { ...field, totalRows: 1_000_000 }));
    expect(fuse(candidate(1, { meaning: -0.5 }), field)).toBe(0);
  });

  it("counts words that stand together only for a query that no text repeats literally", () => {
    const repeated = candidate(1, { words: 6, match: { coverage: 0.4, literal: 0.4, passage: 0.2 } });
    const together = candidate(3, { words: 5, match: { coverage: 0.4, literal: 0.4, passage: 0.4 } });
    const literal = candidate(5, { words: 1, match: { coverage: 0.9, literal: 0.9, passage: 0.1 } });
    const order = (...all: Candidate[]): number[] => rank(all, 1_000).map(({ row }) => row);
    expect(order(repeated, together)).toEqual([3, 1]);
    expect(order(repeated, together, literal)).toEqual([1, 3, 5]);
  });

  it("compares the spelling of only the best by words and meaning", () => {
    const many = Array.from({ length: 200 }, (_, n) => candidate(n, { words: (n % 100) / 10 }));
    const near = candidate(500, { meaning: 0.9 });
    const chosen = choosePromising([...many, near], 1_000, 60);
    expect(chosen).toHaveLength(60);
    expect(chosen).toContain(near);
    expect(chosen.filter(({ words }) => words > 0 && words < 7)).toEqual([]);
  });

  it("accepts a text without a common word only if its meaning is clearly similar", () => {
    expect(isFind(candidate(1, { meaning: 0.2 }))).toBe(false);
    expect(isFind(candidate(1, { meaning: 0.4 }))).toBe(true);
    expect(isFind(candidate(1, { words: 1, meaning: -0.2 }))).toBe(true);
  });
});
