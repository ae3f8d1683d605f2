/** What the index is asked for: any of these groups, each of which must be there whole. */
export interface WordPlan {
  groups: string[][];
  /** The part of all rows, newest first, that is affordable to look at; 1 is all. */
  part: number;
}

export interface CountedWord {
  word: string;
  /** How many rows have it. */
  rows: number;
}

/** What a query may cost, in rows ranked (about a microsecond each). */
const maxRows = { ordinary: 4_000, hurried: 2_000 };
/** Walking past a row in a word's list, as part of what ranking it costs. */
const walkCost = 0.13;

/**
 * Each word by itself as long as that is affordable, rarest first; the commoner ones are left out. If all are common, the
 * two rarest must stand together. `share` is the part of all rows that the scope of the search leaves: words need not be
 * rare in a project that is small.
 */
export function affordWords(
  words: readonly CountedWord[],
  total: number,
  share: number,
  isHurried = false,
): WordPlan {
  const most = isHurried ? maxRows.hurried : maxRows.ordinary;
  const rarestFirst = words.toSorted((a, b) => a.rows - b.rows);
  const affordable: CountedWord[] = [];
  for (const word of rarestFirst)
    if (costOfAny([...affordable, word], total, share) <= most) affordable.push(word);
  if (affordable.length > 0 || words.length === 0)
    return { groups: affordable.map(({ word }) => [word]), part: 1 };
  const together = rarestFirst.slice(0, 2);
  const cost = costOfAll(together, total, share);
  return { groups: [together.map(({ word }) => word)], part: Math.min(1, most / cost) };
}

/** Rows that have any of the words, as if words came independently of each other. */
function costOfAny(words: readonly CountedWord[], total: number, share: number): number {
  const without = words.reduce((part, { rows }) => part * Math.max(0, 1 - rows / total), 1);
  return costOfWalking(words) + total * share * (1 - without);
}

function costOfAll(words: readonly CountedWord[], total: number, share: number): number {
  return costOfWalking(words) + words.reduce((part, { rows }) => (part * rows) / total, total * share);
}

function costOfWalking(words: readonly CountedWord[]): number {
  return words.reduce((sum, { rows }) => sum + rows * walkCost, 0);
}
