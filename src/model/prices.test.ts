import { describe, expect, it } from "vitest";
import { costOf, findPrice } from "./prices.ts";

const none = { inputUsd: null, outputUsd: null };

describe("findPrice", () => {
  it.each([
    ["resolves a short name", "claude", "haiku", none, { input: 0.1, output: 0.5 }],
    ["finds a known model", "anthropic", "claude-sonnet-5-5", none, { input: 2, output: 10 }],
    ["is zero for a local model", "ollama", "llama", none, { input: 0, output: 0 }],
    ["is undefined for an unknown model", "openai", "some-model", none, undefined],
    [
      "is undefined if only one price is set",
      "openai",
      "some-model",
      { inputUsd: 1, outputUsd: null },
      undefined,
    ],
    [
      "uses the configured prices",
      "openai",
      "some-model",
      { inputUsd: 1, outputUsd: 3 },
      { input: 1, output: 3 },
    ],
    [
      "overrides one of the two prices",
      "claude",
      "haiku",
      { inputUsd: 0.2, outputUsd: null },
      { input: 0.2, output: 0.5 },
    ],
  ])("%s", (_case, provider, model, override, expected) => {
    expect(findPrice(provider, model, override)).toEqual(expected);
  });
});

it("computes a cost, or undefined if the price is unknown", () => {
  expect(costOf({ input: 2, output: 10 }, 500_000, 100_000)).toBe(2);
  expect(costOf(undefined, 1, 1)).toBeUndefined();
});
