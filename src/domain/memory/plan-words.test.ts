import { describe, expect, it } from "vitest";
import { planWords } from "./plan-words.ts";

const counted = (rows: Record<string, number>) =>
  Object.entries(rows).map(([word, count]) => ({ word, rows: count }));

describe("planWords", () => {
  it.each([
    [
      "few rows: every word by itself",
      { pool: 40, timeout: 900, the: 2_000 },
      1,
      [["pool"], ["timeout"], ["the"]],
      1,
    ],
    ["a common word beside rare ones is left out", { pool: 40, error: 60_000 }, 1, [["pool"]], 1],
    [
      "only common words: the two rarest together",
      { a: 9_000, b: 20_000, c: 30_000 },
      1,
      [["a", "b"]],
      0.718,
    ],
    ["a small project can afford them", { pool: 40, error: 20_000 }, 0.02, [["pool"], ["error"]], 1],
    ["one word that is everywhere: the newest of it", { error: 100_000 }, 1, [["error"]], 0.035],
    ["nothing asked", {}, 1, [], 1],
  ])("%s", (_case, rows, share, groups, part) => {
    const plan = planWords(counted(rows), 100_000, share);
    expect(plan.groups).toEqual(groups);
    expect(plan.part).toBeCloseTo(part, 3);
  });

  it("affords fewer words in a hurry", () => {
    const words = counted({ pool: 40, error: 2_500 });
    expect(planWords(words, 100_000, 1).groups).toEqual([["pool"], ["error"]]);
    expect(planWords(words, 100_000, 1, true).groups).toEqual([["pool"]]);
  });
});
