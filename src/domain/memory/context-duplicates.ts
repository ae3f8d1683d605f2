interface RowWords {
  text: string;
  words: ReadonlySet<string>;
}

/** Two rows are duplicates if they share this much of the shorter text's content words. */
const minShare = 0.6;
/** Enough if the rows share at least `minCommonWords`. */
const minShareOfMany = 0.5;
const minCommonWords = 4;

/** Decisions need a larger share: two choices about the same subject share most words of their questions. */
const minShareOfChoices = 0.85;

/** Whether two rows of the context have the same content. */
export function isDuplicate(
  { words: left, text: one }: RowWords,
  { words: right, text: other }: RowWords,
): boolean {
  const [shorter, longer] = left.size <= right.size ? [left, right] : [right, left];
  let common = 0;
  for (const word of shorter) if (longer.has(word)) common += 1;
  const share = common / Math.max(1, shorter.size);
  if (one.includes(" → ") && other.includes(" → ")) return share >= minShareOfChoices;
  return share >= minShare || (share >= minShareOfMany && common >= minCommonWords);
}
