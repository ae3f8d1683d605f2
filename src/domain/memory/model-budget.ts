/** The daily spending limits. */
export interface DailyBudget {
  tokens: number;
  usd: number;
}

interface Spent {
  tokens: number;
  usd: number;
}

/** The maximum cost of a call; without a known price only the token limit applies. */
export interface Estimate {
  inputTokens: number;
  outputTokens: number;
  usd: number | undefined;
}

/** A call is made only if its maximum cost stays within both limits. */
export function canAfford(budget: DailyBudget, spent: Spent, estimate: Estimate): boolean {
  const tokens = spent.tokens + estimate.inputTokens + estimate.outputTokens;
  return tokens <= budget.tokens && spent.usd + (estimate.usd ?? 0) <= budget.usd;
}

/** Allowance for text that the host adds and for differences between tokenizers. */
const overheadTokens = 600;

/** Overestimates on purpose: code and prose have about four bytes per token, lists of numbers fewer than three. */
export function reserveTokens(...texts: string[]): number {
  const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  return Math.ceil(bytes / 2.5) + overheadTokens;
}
