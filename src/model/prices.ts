/** US dollars per million tokens. */
export interface Price {
  input: number;
  output: number;
}

/**
 * List prices of 15 November 2026, as used by Claude Code 2.1.325. For a model that is missing here only the token limit
 * applies, unless `model.inputUsd` and `model.outputUsd` set its price.
 */
const prices: Record<string, Price> = {
  "claude-haiku-5-5": { input: 0.1, output: 0.5 },
  "claude-sonnet-5-5": { input: 2, output: 10 },
  "claude-opus-5-5": { input: 4, output: 20 },
  "claude-fable-5-2": { input: 8, output: 40 },
  "claude-haiku-4-5": { input: 1, output: 5 },
  "claude-sonnet-4-5": { input: 3, output: 15 },
  "claude-opus-4-5": { input: 5, output: 25 },
};

/** Claude Code's own short names. */
const aliases: Record<string, string> = {
  haiku: "claude-haiku-5-5",
  sonnet: "claude-sonnet-5-5",
  opus: "claude-opus-5-5",
  fable: "claude-fable-5-2",
};

interface PriceOverride {
  inputUsd: number | null;
  outputUsd: number | null;
}

/** Undefined if the price is unknown. Local models are free. */
export function findPrice(
  provider: string,
  model: string,
  { inputUsd, outputUsd }: PriceOverride,
): Price | undefined {
  const known = provider === "ollama" ? { input: 0, output: 0 } : prices[aliases[model] ?? model];
  if (!known && (inputUsd === null || outputUsd === null)) return undefined;
  return { input: inputUsd ?? known?.input ?? 0, output: outputUsd ?? known?.output ?? 0 };
}

export function costOf(
  price: Price | undefined,
  inputTokens: number,
  outputTokens: number,
): number | undefined {
  return price && (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
}
