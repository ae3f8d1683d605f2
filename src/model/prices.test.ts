import { describe, expect, it } from "vitest";
import { costOf, findPrice } from "./prices.ts";

const none = { inputUsd: null, outputUsd: null };

describe("a price", () => {
  it.each([
    ["of a short name", "claude", "haiku", none, { input: 0.1, output: 0.5 }],
    ["of a known model", "anthropic", "claude-sonnet-5-5", none, { input: 2, output: 10 }],
    ["of what runs here", "ollama", "llama", none, { input: 0, output: 0 }],
    ["nobody told us", "openai", "some-model", none, undefined],
    ["half told is not told", "openai", "some-model", { inputUsd: 1, outputUsd: null }, undefined],
    ["of the user's own", "openai", "some-model", { inputUsd: 1, outputUsd: 3 }, { input: 1, output: 3 }],
    [
      "corrected in one half",
      "claude",
      "haiku",
      { inputUsd: 0.2, outputUsd: null },
      { input: 0.2, output: 0.5 },
    ],
  ])("%s", (_case, provider, model, override, expected) => {
    expect(findPrice(provider, model, override)).toEqual(expected);
  });

  it("gives a cost, or none where it is not known", () => {
    expect(costOf({ input: 2, output: 10 }, 500_000, 100_000)).toBe(2);
    expect(costOf(undefined, 1, 1)).toBeUndefined();
  });
});
