// Linear models for lists of candidates (softmax over each list) and for single examples (logistic regression).

/** The candidates of a question. Several may belong to one turn, of which the best counts. */
export interface List {
  /** The person; models are checked on people that they were not trained on. */
  group: string;
  weight: number;
  candidates: { features: number[]; unit: string; isRight: boolean }[];
}

export interface Example {
  group: string;
  weight: number;
  features: number[];
  target: 0 | 1;
}

const steps = 300;
const rate = 0.05;
const decay = 0.02;

/** Adam on the whole data, so that the result is the same each time. */
export function trainLists(lists: readonly List[]): number[] {
  const useful = lists.filter(({ candidates }) => candidates.some(({ isRight }) => isRight));
  const scales = listScales(useful.flatMap(({ candidates }) => candidates.map(({ features }) => features)));
  const size = scales.length;
  const scaled = useful.map(({ weight, candidates }) => ({
    weight,
    right: candidates.map(({ isRight }) => isRight),
    rows: candidates.map(({ features }) => features.map((value, n) => value / (scales[n] as number))),
  }));
  const total = useful.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Float64Array(size);
  const [mean, square] = [new Float64Array(size), new Float64Array(size)];
  for (let step = 1; step <= steps; step++) {
    const gradient = weights.map((weight) => decay * weight);
    for (const { rows, right, weight } of scaled) {
      const scores = rows.map((row) => dot(row, weights));
      const all = softmax(scores, () => true);
      const wanted = softmax(scores, (n) => right[n] ?? false);
      rows.forEach((row, n) => {
        const pull = (weight * ((all[n] as number) - (wanted[n] as number))) / total;
        if (pull !== 0) for (let d = 0; d < size; d++) gradient[d]! += pull * (row[d] as number);
      });
    }
    for (let d = 0; d < size; d++) {
      const slope = gradient[d] as number;
      mean[d] = 0.9 * (mean[d] as number) + 0.1 * slope;
      square[d] = 0.999 * (square[d] as number) + 0.001 * slope * slope;
      const deviation = Math.sqrt((square[d] as number) / (1 - 0.999 ** step)) + 1e-8;
      weights[d]! -= (rate * (mean[d] as number)) / (1 - 0.9 ** step) / deviation;
    }
  }
  return Array.from(weights, (weight, d) => weight / (scales[d] as number));
}

/** The place of the first right unit if each unit counts by its best candidate; Infinity if there is none. */
export function rankOf({ candidates }: List, score: (features: readonly number[]) => number): number {
  const best = new Map<string, { score: number; isRight: boolean }>();
  for (const { unit, features, isRight } of candidates) {
    const own = score(features);
    if (own > (best.get(unit)?.score ?? Number.NEGATIVE_INFINITY)) best.set(unit, { score: own, isRight });
  }
  const place = [...best.values()].toSorted((a, b) => b.score - a.score).findIndex(({ isRight }) => isRight);
  return place < 0 ? Number.POSITIVE_INFINITY : place + 1;
}

const penalty = 5;

/** Newton's method with a ridge penalty. The last feature is the constant and has no penalty. */
export function trainLogistic(examples: readonly Example[]): number[] {
  const scales = listScales(examples.map(({ features }) => features));
  const size = scales.length;
  const rows = examples.map(({ features }) => features.map((value, n) => value / (scales[n] as number)));
  const weights = new Array<number>(size).fill(0);
  for (let round = 0; round < 25; round++) {
    const gradient = weights.map((weight, d) => (d === size - 1 ? 0 : penalty * weight));
    const curvature = weights.map((_, a) =>
      weights.map((__, b) => (a !== b ? 0 : a === size - 1 ? 1e-6 : penalty)),
    );
    rows.forEach((row, n) => {
      const { weight, target } = examples[n] as Example;
      const predicted = 1 / (1 + Math.exp(-dot(row, weights)));
      for (let a = 0; a < size; a++) {
        gradient[a]! += weight * (predicted - target) * (row[a] as number);
        for (let b = 0; b < size; b++)
          (curvature[a] as number[])[b]! +=
            weight * predicted * (1 - predicted) * (row[a] as number) * (row[b] as number);
      }
    });
    solve(curvature, gradient).forEach((step, d) => {
      weights[d]! -= step;
    });
  }
  return weights.map((weight, d) => weight / (scales[d] as number));
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let n = 0; n < a.length; n++) sum += (a[n] as number) * (b[n] as number);
  return sum;
}

/** Standard deviations; 1 for a feature that never varies. */
function listScales(rows: readonly number[][]): number[] {
  return (rows[0] ?? []).map((_, d) => {
    const values = rows.map((row) => row[d] as number);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return Math.sqrt(variance) || 1;
  });
}

function softmax(scores: readonly number[], isIncluded: (n: number) => boolean): number[] {
  const highest = Math.max(...scores);
  const values = scores.map((score, n) => (isIncluded(n) ? Math.exp(score - highest) : 0));
  const sum = values.reduce((total, value) => total + value, 0) || 1;
  return values.map((value) => value / sum);
}

/** Gaussian elimination with pivoting. */
function solve(matrix: number[][], right: readonly number[]): number[] {
  const rows = matrix.map((row, n) => [...row, right[n] as number]);
  const size = rows.length;
  for (let d = 0; d < size; d++) {
    const pivot = rows
      .slice(d)
      .reduce(
        (best, row, n) => (Math.abs(row[d] as number) > Math.abs(rows[best]?.[d] as number) ? d + n : best),
        d,
      );
    [rows[d], rows[pivot]] = [rows[pivot] as number[], rows[d] as number[]];
    for (let other = 0; other < size; other++) {
      if (other === d) continue;
      const factor = (rows[other]?.[d] as number) / (rows[d]?.[d] as number);
      for (let column = d; column <= size; column++)
        (rows[other] as number[])[column]! -= factor * (rows[d]?.[column] as number);
    }
  }
  return rows.map((row, d) => (row[size] as number) / (row[d] as number));
}
