import { rankWeights } from "./rank-weights.ts";
import type { UnrelatedCosines } from "./vector/calibrate.ts";
import type { WordMatch } from "./word-match.ts";

/** A row found by its words, by its meaning or by both. */
export interface Candidate {
  row: number;
  sessionId: string | null;
  createdAt: number;
  /** BM25; 0 if no word matched. */
  wordScore: number;
  /** How much of the query it contains letter by letter, relative to the best (1); undefined if not compared. */
  spellingScore: number | undefined;
  /** How much of the query's words it contains, synonyms included; undefined if not compared. */
  match?: WordMatch | undefined;
  /** Cosine of query and text, on the scale of the built-in table; undefined if it has no vector. */
  cosine: number | undefined;
  /** A prompt or summary of one or two words: it matches well but is not informative. */
  isBrief?: boolean;
}

export interface Ranking {
  /** Higher is better; about 1 is a good match. */
  score: number;
  /** The part of the score contributed by neighbours. */
  borrowed: number;
}

/**
 * Weights of the scores for a query that a text repeats. Fitted with `npm run bench:search`, which is flat around these
 * values. For a query that is asked in other words, the weights are trained (`rank-weights.ts`).
 */
const literalWeights = { words: 0.36, spelling: 0.24, meaning: 0.4 };
/** Share of the query in the best text: from `literal` on it is said literally, below `paraphrased` in other words. */
const literal = 0.85;
const paraphrased = 0.65;
/** The built-in table's cosines of unrelated texts: values far above the mean are related. */
const unrelated: UnrelatedCosines = { mean: 0.06, spread: 0.09 };
const neighbourShare = 0.15;
/** Factor for brief rows: any note with the same words comes first. */
const briefShare = 0.2;
/** Recency only breaks ties: a larger share loses more than it gains. */
const recencyShare = 0.02;
const recencyHalfLifeMs = 30 * 24 * 3600_000;

/** Normalised similarity: 0 is an average unrelated text, 1 is far above chance. */
export function scoreCosine(cosine: number): number {
  return (cosine - unrelated.mean) / (4 * unrelated.spread);
}

/**
 * A cosine of another model on the scale of the built-in table: by the number of spreads above the mean of unrelated
 * texts. All thresholds then apply to every model.
 */
export function rescaleCosine(cosine: number, { mean, spread }: UnrelatedCosines): number {
  return Math.min(1, unrelated.mean + ((cosine - mean) / spread) * unrelated.spread);
}

/** Without a common word, a hit needs at least this similarity: anything below is a guess. */
const minSimilarity = 0.5;

export function isRelevant({ wordScore, cosine }: Candidate): boolean {
  return wordScore > 0 || (cosine !== undefined && scoreCosine(cosine) >= minSimilarity);
}

/** Values that all candidates of a query share. */
interface QueryField {
  totalRows: number;
  /** The best BM25. */
  maxWords: number;
  /** 0 if a text repeats the query literally, 1 if all say it in other words. */
  paraphrase: number;
}

function judgeParaphrase(candidates: readonly Candidate[]): number {
  const compared = candidates.flatMap(({ match }) => match ?? []);
  if (compared.length === 0) return 0;
  const best = compared.reduce((most, match) => Math.max(most, match.literal), 0);
  return Math.min(1, Math.max(0, (literal - best) / (literal - paraphrased)));
}

/**
 * Adds scores, not ranks, because the lead of the best result matters. BM25 grows with the logarithm of the number of
 * rows, so it is divided by that; the best text by letters counts as much as the best by words.
 */
export function combineScores(candidate: Candidate, field: QueryField): number {
  const features = listFeatures(candidate, field);
  const literally =
    literalWeights.words * features.words +
    literalWeights.spelling * features.spelling +
    literalWeights.meaning * features.meaning;
  const inOtherWords = field.paraphrase === 0 ? 0 : weigh(features);
  const score = Math.max(0, (1 - field.paraphrase) * literally + field.paraphrase * inOtherWords);
  return candidate.isBrief ? briefShare * score : score;
}

/** Scores below this are compressed, so that all are positive and still ordered. */
const lowScore = 0.1;

function weigh(features: RankFeatures): number {
  const sum = rankFeatures.reduce((total, name) => total + rankWeights[name] * features[name], 0);
  return sum > lowScore ? sum : lowScore * Math.exp(sum / lowScore - 1);
}

/** The numbers by which a candidate is ranked. */
export type RankFeatures = Record<(typeof rankFeatures)[number], number>;

export const rankFeatures = [
  "words",
  "spelling",
  "meaning",
  "coverage",
  "literal",
  "passage",
  "dense",
  "mean",
  "pair",
  "lead",
  "said",
  "frequency",
  "length",
  "passages",
  "constant",
] as const;

export function listFeatures(
  { wordScore, spellingScore, match, cosine }: Candidate,
  { totalRows, maxWords }: Pick<QueryField, "totalRows" | "maxWords">,
): RankFeatures {
  const perWord = 1 / (1.5 * Math.log(Math.max(10, totalRows)));
  return {
    words: wordScore * perWord,
    spelling: (spellingScore === undefined ? wordScore : spellingScore * maxWords) * perWord,
    meaning: cosine === undefined ? 0 : scoreCosine(cosine),
    coverage: match?.coverage ?? 0,
    literal: match?.literal ?? 0,
    passage: match?.passage ?? 0,
    dense: match?.dense ?? 0,
    mean: match?.mean ?? 0,
    pair: match?.pair ?? 0,
    lead: match?.lead ?? 0,
    said: match?.said ?? 0,
    frequency: (match?.frequency ?? 0) * perWord,
    length: Math.log1p(match?.words ?? 0),
    passages: Math.log1p(match?.passages ?? 0),
    constant: 1,
  };
}

/** The candidates worth comparing letter by letter. */
export function choosePromising<T extends Candidate>(
  candidates: readonly T[],
  totalRows: number,
  limit: number,
): T[] {
  return candidates
    .map((one) => ({ one, score: combineScores(one, { totalRows, maxWords: 0, paraphrase: 0 }) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ one }) => one);
}

/**
 * Best first. Neighbours in the same session are about the same thing, so the best neighbour adds part of its score.
 * `isPrompt`: a prompt hardly ever repeats a text, and its scores are compared with a threshold.
 */
export function rank<T extends Candidate>(
  candidates: readonly T[],
  totalRows: number,
  isPrompt = false,
): (T & Ranking)[] {
  const maxWords = candidates.reduce((most, { wordScore }) => Math.max(most, wordScore), 0);
  const field: QueryField = { totalRows, maxWords, paraphrase: isPrompt ? 1 : judgeParaphrase(candidates) };
  const scores = new Map(candidates.map((one) => [one.row, { one, score: combineScores(one, field) }]));
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
