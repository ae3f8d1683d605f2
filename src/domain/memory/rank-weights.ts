import type { RankFeatures } from "./rank.ts";
import type { RecallFeatures } from "./recall.ts";

/** Made by `node scripts/train-rank.ts`; see docs/vectors.md. */
export const rankWeights: RankFeatures = {
  words: 0.1115,
  spelling: 0.1968,
  meaning: 0.434,
  coverage: -0.02712,
  literal: -0.3513,
  passage: 0.1617,
  dense: 0.2924,
  mean: 0.3037,
  pair: 0.1405,
  lead: 0.04954,
  said: 0.01466,
  frequency: 0.494,
  length: -0.03546,
  passages: -0.01054,
  constant: -0.3978,
};

export const recallWeights: RecallFeatures = {
  best: 2.367,
  coverage: 1.713,
  literal: -2.501,
  mean: 3.135,
  length: -1.231,
  sameSession: 1.799,
  constant: -1.572,
};
