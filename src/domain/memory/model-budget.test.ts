import { describe, expect, it } from "vitest";
import { canAfford, reserveTokens } from "./model-budget.ts";

describe("a daily budget", () => {
  const budget = { tokens: 10_000, usd: 1 };
  it.each([
    ["fits", { tokens: 0, usd: 0 }, { inputTokens: 3_000, outputTokens: 2_000, usd: 0.5 }, true],
    [
      "fits exactly",
      { tokens: 5_000, usd: 0.5 },
      { inputTokens: 3_000, outputTokens: 2_000, usd: 0.5 },
      true,
    ],
    [
      "too many tokens",
      { tokens: 5_001, usd: 0 },
      { inputTokens: 3_000, outputTokens: 2_000, usd: 0 },
      false,
    ],
    ["too expensive", { tokens: 0, usd: 0.6 }, { inputTokens: 1, outputTokens: 1, usd: 0.5 }, false],
    ["no known price", { tokens: 0, usd: 0 }, { inputTokens: 1, outputTokens: 1, usd: undefined }, true],
    [
      "no known price, too many tokens",
      { tokens: 9_999, usd: 0 },
      { inputTokens: 1, outputTokens: 1, usd: undefined },
      false,
    ],
  ])("%s", (_case, spent, estimate, expected) => {
    expect(canAfford(budget, spent, estimate)).toBe(expected);
  });

  it("allows no call if it is zero", () => {
    expect(
      canAfford({ tokens: 0, usd: 1 }, { tokens: 0, usd: 0 }, { inputTokens: 1, outputTokens: 0, usd: 0 }),
    ).toBe(false);
  });

  it("reserves more tokens than texts cost in any script", () => {
    expect(reserveTokens("word ".repeat(300))).toBeGreaterThan(300 + 600 - 1);
    expect(reserveTokens("漢".repeat(300))).toBeGreaterThanOrEqual(300 + 600);
  });
});
