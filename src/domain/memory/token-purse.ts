import { estimateTokens } from "./tokens.ts";

/** Counts what a text has cost against its limits. */
export interface Purse {
  /** Pays for the lines if they fit into all limits, and says what they cost; 0 if they do not fit. */
  pay(lines: string, allowance: number): number;
  spent(): number;
}

/** Tokens and characters both have an end. */
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
