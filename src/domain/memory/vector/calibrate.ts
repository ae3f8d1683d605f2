import { cosine, type Vector } from "./vector.ts";

/** Mean and spread of the cosines of unrelated texts. Each model has its own: some never go below 0.4. */
export interface Unrelated {
  mean: number;
  spread: number;
}

/** Fewer vectors say too little about a model. */
export const minCalibrated = 32;
/** Steps between the vectors of a pair, as a share of all: pairs from far apart are hardly ever about the same thing. */
const steps = [0.5, 0.34, 0.21];

/**
 * Measures the cosines of random pairs. Uses the median and the range of the middle two thirds, so that a few related
 * pairs do not count. Undefined with too few vectors, or if all look alike.
 */
export function calibrate(vectors: readonly Vector[]): Unrelated | undefined {
  const count = vectors.length;
  if (count < minCalibrated) return undefined;
  const cosines = steps
    .flatMap((step) =>
      vectors.map((one, n) => cosine(one, vectors[(n + Math.round(step * count)) % count] as Vector)),
    )
    .toSorted((a, b) => a - b);
  const quantile = (share: number): number => cosines[Math.floor(share * (cosines.length - 1))] as number;
  const spread = (quantile(0.84) - quantile(0.16)) / 2;
  return spread < 0.001 ? undefined : { mean: quantile(0.5), spread };
}
