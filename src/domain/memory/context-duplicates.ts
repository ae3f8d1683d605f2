interface RowWords {
  text: string;
  words: ReadonlySet<string>;
}

/**
 * Share of the shorter text's content words above which two rows are duplicates; with at least `words` common words,
 * `lessShare` is enough.
 */
const sameThing = { share: 0.6, lessShare: 0.5, words: 4 };

/** Two choices about the same subject share most words of their questions. */
const sameChoice = 0.85;

/** Whether two rows of the context say the same. */
export function isDuplicate(
  { words: left, text: one }: RowWords,
  { words: right, text: other }: RowWords,
): boolean {
  const [shorter, longer] = left.size <= right.size ? [left, right] : [right, left];
  let common = 0;
  for (const word of shorter) if (longer.has(word)) common += 1;
  const share = common / Math.max(1, shorter.size);
  if (one.includes(" → ") && other.includes(" → ")) return share >= sameChoice;
  return share >= sameThing.share || (share >= sameThing.lessShare && common >= sameThing.words);
}
