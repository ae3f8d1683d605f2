/** Something that was found, by its words, by its meaning or by both. */
export interface Candidate {
  row: number;
  sessionId: string | null;
  createdAt: number;
  /** BM25; 0 where no word matched. */
  words: number;
  /** How much of what is asked it has letter by letter, the best having 1; undefined where nobody looked. */
  spelling: number | undefined;
  /** The cosine of what is asked and what it says; undefined where it has no vector. */
  meaning: number | undefined;
}

export interface Ranking {
  /** Higher is better; about 1 is a good match. */
  score: number;
  /** How much of it was lent by neighbours. */
  borrowed: number;
}

/** How much letters count beside the words they make. Between 0.3 and 0.5 the measures agree. */
const spellingShare = 0.4;
/** How much meaning counts beside words. Between 0.3 and 0.5 the measures agree; more of it loses exact names. */
const meaningShare = 0.4;
/** Cosines of texts that have nothing to do with each other, and how far they spread: what is far above them is near. */
const unrelated = { mean: 0.06, spread: 0.09 };
const neighbourShare = 0.3;
/** Recency only decides between equals: a stronger pull costs more than it brings. */
const recencyShare = 0.02;
const recencyHalfLifeMs = 30 * 24 * 3600_000;

/** How clearly a text means what was asked: 0 like any other, 1 far above chance. */
export function judgeMeaning(cosine: number): number {
  return (cosine - unrelated.mean) / (4 * unrelated.spread);
}

/** Without a common word, this much of it makes a find: all else would be a guess. */
const minMeaning = 0.5;

export function isFind({ words, meaning }: Candidate): boolean {
  return words > 0 || (meaning !== undefined && judgeMeaning(meaning) >= minMeaning);
}

/**
 * Scores are added, not ranks: how much better the best one is, is what tells. BM25 grows with the logarithm of the number
 * of rows, so that is its unit; the best by its letters counts as much as the best by its words, `maxWords`.
 */
export function fuse({ words, spelling, meaning }: Candidate, totalRows: number, maxWords: number): number {
  const written =
    spelling === undefined ? words : (1 - spellingShare) * words + spellingShare * spelling * maxWords;
  const byWords = written / (1.5 * Math.log(Math.max(10, totalRows)));
  const byMeaning = meaning === undefined ? 0 : judgeMeaning(meaning);
  return Math.max(0, (1 - meaningShare) * byWords + meaningShare * byMeaning);
}

/** Which of them are worth reading letter by letter. */
export function choosePromising<T extends Candidate>(
  candidates: readonly T[],
  totalRows: number,
  most: number,
): T[] {
  return candidates
    .map((one) => ({ one, score: fuse(one, totalRows, 0) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ one }) => one);
}

/** The best first. Neighbours in the same session speak of the same thing: part of their score is one's own. */
export function rank<T extends Candidate>(candidates: readonly T[], totalRows: number): (T & Ranking)[] {
  const maxWords = candidates.reduce((most, { words }) => Math.max(most, words), 0);
  const scores = new Map(candidates.map((one) => [one.row, { one, score: fuse(one, totalRows, maxWords) }]));
  const newest = candidates.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0);
  return candidates
    .map((one) => {
      const beside = [scores.get(one.row - 1), scores.get(one.row + 1)].filter(
        (other) => other?.one.sessionId === one.sessionId && one.sessionId,
      );
      const borrowed = neighbourShare * Math.max(0, ...beside.map((other) => other?.score ?? 0));
      const recency = 2 ** ((one.createdAt - newest) / recencyHalfLifeMs);
      const own = scores.get(one.row)?.score ?? 0;
      return { ...one, borrowed, score: (own + borrowed) * (1 + recencyShare * recency) };
    })
    .toSorted((a, b) => b.score - a.score || b.createdAt - a.createdAt);
}
