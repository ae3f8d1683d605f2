import { cosine, type Vector } from "./vector.ts";

/** Mean and spread of the cosines of unrelated texts. Each model has its own: some never go below 0.4. */
export interface UnrelatedCosines {
  mean: number;
  spread: number;
}

/** Fewer vectors are too few to calibrate a model. */
export const minCalibrated = 32;
/** Steps between the vectors of a pair, as a share of all: vectors far apart are hardly ever about the same thing. */
const steps = [0.5, 0.34, 0.21];

/** The cosines of two stored texts that were chosen at random. Undefined with too few vectors, or if all look alike. */
export function calibratePairs(vectors: readonly Vector[]): UnrelatedCosines | undefined {
  const count = vectors.length;
  return summarise(
    steps.flatMap((step) =>
      vectors.map((one, n) => cosine(one, vectors[(n + Math.round(step * count)) % count] as Vector)),
    ),
    count,
  );
}

/**
 * The cosines of a query and stored texts that were chosen at random. They are measured for each query: a question of
 * three words is less similar to any text than two texts are to each other.
 */
export function calibrateQuery(query: Vector, vectors: readonly Vector[]): UnrelatedCosines | undefined {
  return summarise(
    vectors.map((one) => cosine(query, one)),
    vectors.length,
  );
}

/** The median, and the range of the middle two thirds: a few related texts do not count. */
function summarise(cosines: readonly number[], count: number): UnrelatedCosines | undefined {
  if (count < minCalibrated) return undefined;
  const sorted = cosines.toSorted((a, b) => a - b);
  const quantile = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] as number;
  const spread = (quantile(0.84) - quantile(0.16)) / 2;
  return spread < 0.001 ? undefined : { mean: quantile(0.5), spread };
}
