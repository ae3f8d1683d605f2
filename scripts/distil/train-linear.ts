import { type Features, featureSize } from "../../src/domain/memory/distil/features.ts";

interface Example {
  features: Features;
  /** 0 … 1. */
  target: number;
}

const steps = { epochs: 8, rate: 0.05, decay: 1e-3 };
type Steps = typeof steps;

/** A seeded generator, so that the same labels always give the same weights. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Logistic regression by AdaGrad; the weights are the mean over the second half of the epochs. */
export function trainLogistic(examples: readonly Example[], how: Steps = steps): Float64Array {
  return trainSoftmax(
    examples.map(({ features, target }) => ({ features, targets: [target] })),
    1,
    how,
  )[0] as Float64Array;
}

/** The same for several outputs: a single one is a sigmoid, several are a softmax. */
export function trainSoftmax(
  examples: readonly { features: Features; targets: readonly number[] }[],
  outputs: number,
  how: Steps = steps,
): Float64Array[] {
  const zeros = (value = 0): Float64Array[] =>
    Array.from({ length: outputs }, () => new Float64Array(featureSize).fill(value));
  const [weights, squares, sums] = [zeros(), zeros(1e-2), zeros()];
  const random = makeRandom(7);
  const order = examples.map((_, n) => n);
  let averaged = 0;
  for (let epoch = 0; epoch < how.epochs; epoch++) {
    for (let n = order.length - 1; n > 0; n--) {
      const other = Math.floor(random() * (n + 1));
      [order[n], order[other]] = [order[other] as number, order[n] as number];
    }
    for (const n of order) {
      const { features, targets } = examples[n] as { features: Features; targets: readonly number[] };
      const predicted = predict(weights, features);
      for (let output = 0; output < outputs; output++)
        step(
          weights[output],
          squares[output],
          features,
          (predicted[output] as number) - (targets[output] as number),
          how,
        );
    }
    if (epoch < how.epochs / 2) continue;
    averaged += 1;
    for (let output = 0; output < outputs; output++)
      for (let at = 0; at < featureSize; at++)
        (sums[output] as Float64Array)[at] =
          ((sums[output] as Float64Array)[at] as number) + ((weights[output] as Float64Array)[at] as number);
  }
  return sums.map((row) => row.map((sum) => sum / averaged));
}

function step(
  weights: Float64Array | undefined,
  squares: Float64Array | undefined,
  features: Features,
  error: number,
  how: Steps,
): void {
  if (!weights || !squares) return;
  const { places, values } = features;
  for (let n = 0; n < places.length; n++) {
    const at = places[n] as number;
    const gradient = error * (values[n] as number) + how.decay * (weights[at] as number);
    squares[at] = (squares[at] as number) + gradient * gradient;
    weights[at] = (weights[at] as number) - (how.rate * gradient) / Math.sqrt(squares[at] as number);
  }
}

export function dot(weights: Float64Array, { places, values }: Features): number {
  let sum = 0;
  for (let n = 0; n < places.length; n++)
    sum += (weights[places[n] as number] as number) * (values[n] as number);
  return sum;
}

function predict(weights: readonly Float64Array[], features: Features): number[] {
  const scores = weights.map((row) => dot(row, features));
  if (scores.length === 1) return [1 / (1 + Math.exp(-(scores[0] as number)))];
  const max = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - max));
  const total = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / total);
}
