/** The words to search for: rows that contain all words of at least one group. */
interface WordPlan {
  groups: string[][];
  /** The share of rows, newest first, that the query can afford to read; 1 is all. */
  part: number;
}

interface CountedWord {
  word: string;
  /** Number of rows that contain it. */
  rows: number;
}

/** Maximum cost of a query, in ranked rows (about a microsecond each). */
const maxRows = { ordinary: 4_000, hurried: 2_000 };
/** Cost of skipping a row in a word's list, relative to ranking it. */
const walkCost = 0.13;

/**
 * Searches for each word separately while that is affordable, rarest first, and leaves out the more common ones. If
 * all words are common, rows must contain the two rarest. `share` is the part of all rows within the scope of the
 * search: in a small project even common words are cheap.
 */
export function planWords(
  words: readonly CountedWord[],
  total: number,
  share: number,
  isHurried = false,
): WordPlan {
  const limit = isHurried ? maxRows.hurried : maxRows.ordinary;
  const rarestFirst = words.toSorted((a, b) => a.rows - b.rows);
  const affordable: CountedWord[] = [];
  for (const word of rarestFirst)
    if (costOfAny([...affordable, word], total, share) <= limit) affordable.push(word);
  if (affordable.length > 0 || words.length === 0)
    return { groups: affordable.map(({ word }) => [word]), part: 1 };
  const together = rarestFirst.slice(0, 2);
  const cost = costOfAll(together, total, share);
  return { groups: [together.map(({ word }) => word)], part: Math.min(1, limit / cost) };
}

/** Rows that contain any of the words, assuming that words occur independently. */
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
