import type { RankFeatures } from "./rank.ts";
import type { RecallFeatures } from "./recall.ts";

/** Made by `node scripts/train-rank.ts`; see docs/vectors.md. */
export const rankWeights: RankFeatures = {
  words: 0.03528,
  spelling: 0.2275,
  meaning: 0.4238,
  coverage: -0.06416,
  literal: -0.1987,
  passage: 0.02341,
  dense: 0.4478,
  mean: 0.3805,
  pair: 0.1992,
  lead: 0.1262,
  said: 0.07896,
  frequency: 0.4205,
  length: 0.02489,
  passages: -0.01865,
  constant: -0.6665,
};

export const recallWeights: RecallFeatures = {
  best: 2.639,
  coverage: 1.561,
  literal: -1.951,
  known: 1.408,
  mean: 1.341,
  length: -1.486,
  sameSession: 2.134,
  constant: -2.15,
};
