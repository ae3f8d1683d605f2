// Moves the token vectors so that the means of paired texts are close together and those of other texts apart
// (InfoNCE in both directions, with other pairs of the batch as negatives; Adagrad with one rate per token).
import { weighPieces } from "../../src/domain/memory/vector/weigh-pieces.ts";
import { makeRandom, type Random, shuffle } from "./random.ts";

/** The tokens of two texts that belong together. */
export type TokenPair = [readonly number[], readonly number[]];

interface Training {
  steps: number;
  batch: number;
  rate: number;
  temperature: number;
  /** Sampling frequency of each kind of text. */
  shares: Record<string, number>;
}

interface Side {
  texts: (readonly number[])[];
  /** The weight of each token in each text. */
  weights: Float32Array[];
  /** Unit vectors, and their original lengths. */
  units: Float32Array;
  lengths: Float32Array;
}

export function train(
  table: Float32Array,
  dimensions: number,
  kinds: Record<string, TokenPair[]>,
  { steps, batch, rate, temperature, shares }: Training,
  onProgress: (step: number, loss: number) => void,
): void {
  const random = makeRandom(7);
  const samplers = Object.fromEntries(
    Object.entries(kinds).map(([kind, pairs]) => [kind, makeSampler(pairs, random)]),
  );
  const squaredSums = new Float32Array(table.length / dimensions).fill(1e-8);
  for (let step = 0; step < steps; step++) {
    const pairs = samplers[chooseKind(shares, random)]?.(batch) ?? [];
    const left = embedTexts(
      table,
      dimensions,
      pairs.map(([a]) => a),
    );
    const right = embedTexts(
      table,
      dimensions,
      pairs.map(([, b]) => b),
    );
    const { leftGradient, rightGradient, loss } = contrastiveLoss(left, right, dimensions, temperature);
    const gradients = new Map<number, Float32Array>();
    backpropagate(gradients, left, leftGradient, dimensions);
    backpropagate(gradients, right, rightGradient, dimensions);
    descend(table, squaredSums, gradients, rate * (1 - step / steps), dimensions);
    onProgress(step + 1, loss);
  }
}

function chooseKind(shares: Record<string, number>, random: Random): string {
  let remaining = random() * Object.values(shares).reduce((a, b) => a + b);
  return Object.entries(shares).find(([, share]) => (remaining -= share) < 0)?.[0] ?? "";
}

function makeSampler(pairs: readonly TokenPair[], random: Random): (count: number) => TokenPair[] {
  let shuffled: TokenPair[] = [];
  return (count) => {
    if (shuffled.length < count) shuffled = shuffle(pairs, random);
    return shuffled.splice(-count);
  };
}

/** A text is the weighted mean of its tokens, as in search. */
function embedTexts(table: Float32Array, dimensions: number, texts: (readonly number[])[]): Side {
  const weights = texts.map(weighPieces);
  const units = new Float32Array(texts.length * dimensions);
  const lengths = new Float32Array(texts.length);
  texts.forEach((tokens, n) => {
    const at = n * dimensions;
    tokens.forEach((token, place) => {
      const weight = weights[n]?.[place] as number;
      for (let d = 0; d < dimensions; d++)
        units[at + d]! += (table[token * dimensions + d] as number) * weight;
    });
    let square = 0;
    for (let d = 0; d < dimensions; d++) square += (units[at + d] as number) ** 2;
    const length = Math.max(Math.sqrt(square), 1e-6);
    lengths[n] = length;
    for (let d = 0; d < dimensions; d++) units[at + d]! /= length;
  });
  return { texts, weights, units, lengths };
}

/** The loss and its gradient for each unit vector. */
function contrastiveLoss(
  left: Side,
  right: Side,
  dimensions: number,
  temperature: number,
): { leftGradient: Float32Array; rightGradient: Float32Array; loss: number } {
  const count = left.texts.length;
  const scores = new Float64Array(count * count);
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      let dot = 0;
      for (let d = 0; d < dimensions; d++)
        dot += (left.units[i * dimensions + d] as number) * (right.units[j * dimensions + d] as number);
      scores[i * count + j] = Math.exp((dot - 1) / temperature);
    }
  const rows = new Float64Array(count);
  const columns = new Float64Array(count);
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      rows[i]! += scores[i * count + j] as number;
      columns[j]! += scores[i * count + j] as number;
    }
  const leftGradient = new Float32Array(left.units.length);
  const rightGradient = new Float32Array(right.units.length);
  let loss = 0;
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      const score = scores[i * count + j] as number;
      const byRow = score / (rows[i] as number);
      if (i === j) loss -= Math.log(byRow) / count;
      const pull = (byRow + score / (columns[j] as number) - (i === j ? 2 : 0)) / (2 * temperature * count);
      for (let d = 0; d < dimensions; d++) {
        leftGradient[i * dimensions + d]! += pull * (right.units[j * dimensions + d] as number);
        rightGradient[j * dimensions + d]! += pull * (left.units[i * dimensions + d] as number);
      }
    }
  return { leftGradient, rightGradient, loss };
}

/** Backpropagates the gradient of the unit vectors to their tokens. */
function backpropagate(
  gradients: Map<number, Float32Array>,
  { texts, weights, units, lengths }: Side,
  toUnits: Float32Array,
  dimensions: number,
): void {
  texts.forEach((tokens, n) => {
    const at = n * dimensions;
    // The component along the unit vector has no effect on the normalised vector.
    let radial = 0;
    for (let d = 0; d < dimensions; d++) radial += (toUnits[at + d] as number) * (units[at + d] as number);
    tokens.forEach((token, place) => {
      const scale = (weights[n]?.[place] as number) / (lengths[n] as number);
      const gradient = gradients.get(token) ?? new Float32Array(dimensions);
      gradients.set(token, gradient);
      for (let d = 0; d < dimensions; d++)
        gradient[d]! += ((toUnits[at + d] as number) - radial * (units[at + d] as number)) * scale;
    });
  });
}

function descend(
  table: Float32Array,
  squaredSums: Float32Array,
  gradients: Map<number, Float32Array>,
  rate: number,
  dimensions: number,
): void {
  for (const [token, gradient] of gradients) {
    squaredSums[token]! += gradient.reduce((sum, value) => sum + value * value, 0) / dimensions;
    const step = rate / Math.sqrt(squaredSums[token] as number);
    for (let d = 0; d < dimensions; d++) table[token * dimensions + d]! -= step * (gradient[d] as number);
  }
}
