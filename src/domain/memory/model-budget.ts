/** What may be spent in a day. */
export interface DailyBudget {
  tokens: number;
  usd: number;
}

export interface Spent {
  tokens: number;
  usd: number;
}

/** What a call will cost at most; no price where none is known, and then tokens alone bound it. */
export interface Estimate {
  inputTokens: number;
  outputTokens: number;
  usd: number | undefined;
}

/** A call is made only if even its worst case stays within both bounds. */
export function canAfford(budget: DailyBudget, spent: Spent, estimate: Estimate): boolean {
  const tokens = spent.tokens + estimate.inputTokens + estimate.outputTokens;
  return tokens <= budget.tokens && spent.usd + (estimate.usd ?? 0) <= budget.usd;
}

/** Of a host that adds words of its own around ours, and of a tokenizer that is not ours. */
const overheadTokens = 600;

/** Rather too many than too few: code and prose have four bytes a token, lists of numbers less than three. */
export function reserveTokens(...texts: string[]): number {
  const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  return Math.ceil(bytes / 2.5) + overheadTokens;
}
