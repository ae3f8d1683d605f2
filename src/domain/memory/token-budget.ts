import { estimateTokens } from "./tokens.ts";

/** Tracks the cost of a text against its limits. */
export interface TokenBudget {
  /** Charges the lines if they fit all limits and returns their cost; 0 if they do not fit. */
  spend(lines: string, allowance: number): number;
  spent(): number;
}

/** Limits both tokens and characters. */
export function openTokenBudget(budgetTokens: number, maxCharacters: number): TokenBudget {
  let tokens = 0;
  let characters = 0;
  return {
    spent: () => tokens,
    spend(lines, allowance) {
      const cost = estimateTokens(`${lines}\n`);
      if (cost > allowance || tokens + cost > budgetTokens) return 0;
      if (characters + lines.length + 1 > maxCharacters) return 0;
      tokens += cost;
      characters += lines.length + 1;
      return cost;
    },
  };
}
