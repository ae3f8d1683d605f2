import { estimateTokens } from "./tokens.ts";

/** Tracks the cost of a text against its limits. */
export interface Purse {
  /** Charges the lines if they fit all limits and returns their cost; 0 if they do not fit. */
  pay(lines: string, allowance: number): number;
  spent(): number;
}

/** Limits both tokens and characters. */
export function openPurse(budgetTokens: number, maxCharacters: number): Purse {
  let tokens = 0;
  let characters = 0;
  return {
    spent: () => tokens,
    pay(lines, allowance) {
      const cost = estimateTokens(`${lines}\n`);
      if (cost > allowance || tokens + cost > budgetTokens) return 0;
      if (characters + lines.length + 1 > maxCharacters) return 0;
      tokens += cost;
      characters += lines.length + 1;
      return cost;
    },
  };
}
