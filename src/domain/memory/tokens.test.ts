import { describe, expect, it } from "vitest";
import { estimateTokens } from "./tokens.ts";

/** Counted with o200k; `npm run bench:recall` compares many more texts. */
const counted: [string, string, number][] = [
  ["nothing", "", 0],
  ["prose", "The connection pool was exhausted because every request opened its own client.", 13],
  ["a row of the index", "8f3a B92 Pool exhausted by a missing release in the refund path", 17],
  ["code", "const pool = createPool({ max: 20, idleTimeoutMillis: 240000 });", 19],
  ["Japanese", "予約の重複を防ぐため、排他制約を追加しました。", 17],
];

describe("the estimate", () => {
  it.each(counted)("of %s is near", (_kind, text, tokens) => {
    expect(Math.abs(estimateTokens(text) - tokens)).toBeLessThanOrEqual(Math.max(1, tokens * 0.4));
  });

  it("handles a long text quickly", () => {
    const startedAt = performance.now();
    estimateTokens("word 1234 {}; ".repeat(20_000));
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
