import { binOf, type Tree, type Trees } from "../../src/domain/memory/distil/trees.ts";
import { makeRandom } from "./train-linear.ts";

const settings = {
  trees: 150,
  depth: 4,
  rate: 0.06,
  minRows: 20,
  smoothing: 5,
  rowShare: 0.7,
  featureShare: 0.4,
  bins: 24,
};

/** Gradient boosting on binned features with the logistic loss. */
export function trainTrees(inputs: readonly Float32Array[], targets: readonly number[]): Trees {
  const width = inputs[0]?.length ?? 0;
  const bounds = Array.from({ length: width }, (_, feature) => findBounds(inputs, feature));
  const binned = inputs.map((input) =>
    Uint8Array.from(input, (value, feature) => binOf(bounds[feature] as Float32Array, value)),
  );
  const varying = bounds.flatMap((list, feature) => (list.length > 0 ? [feature] : []));
  const random = makeRandom(5);
  const mean = targets.reduce((a, b) => a + b, 0) / targets.length;
  const base = Math.log(mean / (1 - mean));
  const scores = new Float64Array(inputs.length).fill(base);
  const trees: Tree[] = [];
  for (let n = 0; n < settings.trees; n++) {
    const gradients = scores.map((score, row) => 1 / (1 + Math.exp(-score)) - (targets[row] as number));
    const curvatures = scores.map((score) => Math.exp(-score) / (1 + Math.exp(-score)) ** 2);
    const rows = [...inputs.keys()].filter(() => random() < settings.rowShare);
    const features = varying.filter(() => random() < settings.featureShare);
    const tree = growTree({ binned, bounds, gradients, curvatures, features }, rows);
    trees.push(tree);
    for (const [row, bins] of binned.entries())
      scores[row] = (scores[row] as number) + (tree.values[findLeaf(tree, bins)] as number);
  }
  return { base, bounds, trees };
}

interface TrainingSet {
  binned: readonly Uint8Array[];
  bounds: readonly Float32Array[];
  gradients: Float64Array;
  curvatures: Float64Array;
  features: readonly number[];
}

function growTree(set: TrainingSet, all: number[]): Tree {
  const nodes: { feature: number; bin: number; child: number; value: number }[] = [];
  const open = (): number => nodes.push({ feature: -1, bin: 0, child: 0, value: 0 }) - 1;
  const waiting = [{ at: open(), rows: all, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { at, rows, depth } = next;
    const node = nodes[at] as (typeof nodes)[number];
    const { gradient, curvature } = sumUp(set, rows);
    node.value = (-settings.rate * gradient) / (curvature + settings.smoothing);
    const split = depth < settings.depth ? findSplit(set, rows, gradient, curvature) : undefined;
    if (!split) continue;
    node.feature = split.feature;
    node.bin = split.bin;
    node.child = open();
    const right = open();
    const isLeft = (row: number): boolean => (set.binned[row]?.[split.feature] ?? 0) <= split.bin;
    waiting.push({ at: node.child, rows: rows.filter(isLeft), depth: depth + 1 });
    waiting.push({ at: right, rows: rows.filter((row) => !isLeft(row)), depth: depth + 1 });
  }
  return {
    features: Int16Array.from(nodes, ({ feature }) => feature),
    bins: Uint8Array.from(nodes, ({ bin }) => bin),
    children: Uint8Array.from(nodes, ({ child }) => child),
    values: Float32Array.from(nodes, ({ value }) => value),
  };
}

function sumUp(
  { gradients, curvatures }: TrainingSet,
  rows: readonly number[],
): { gradient: number; curvature: number } {
  let [gradient, curvature] = [0, 0];
  for (const row of rows) {
    gradient += gradients[row] as number;
    curvature += curvatures[row] as number;
  }
  return { gradient, curvature };
}

function findSplit(
  set: TrainingSet,
  rows: readonly number[],
  gradient: number,
  curvature: number,
): { feature: number; bin: number } | undefined {
  const { binned, bounds, gradients, curvatures, features } = set;
  const { minRows, smoothing } = settings;
  if (rows.length < 2 * minRows) return undefined;
  const whole = gradient ** 2 / (curvature + smoothing);
  let best: { feature: number; bin: number; gain: number } | undefined;
  for (const feature of features) {
    const size = (bounds[feature]?.length ?? 0) + 1;
    const [g, h, n] = [new Float64Array(size), new Float64Array(size), new Int32Array(size)];
    for (const row of rows) {
      const bin = (binned[row] as Uint8Array)[feature] as number;
      g[bin] = (g[bin] as number) + (gradients[row] as number);
      h[bin] = (h[bin] as number) + (curvatures[row] as number);
      n[bin] = (n[bin] as number) + 1;
    }
    let [left, weight, count] = [0, 0, 0];
    for (let bin = 0; bin < size - 1; bin++) {
      left += g[bin] as number;
      weight += h[bin] as number;
      count += n[bin] as number;
      if (count < minRows || rows.length - count < minRows) continue;
      const gain =
        left ** 2 / (weight + smoothing) + (gradient - left) ** 2 / (curvature - weight + smoothing) - whole;
      if (gain > (best?.gain ?? 1e-3)) best = { feature, bin, gain };
    }
  }
  return best;
}

function findLeaf({ features, bins, children }: Tree, row: Uint8Array): number {
  let at = 0;
  while ((features[at] as number) >= 0)
    at = (children[at] as number) + Number((row[features[at] as number] as number) > (bins[at] as number));
  return at;
}

/** Quantiles; a feature that is nearly constant still gets a bound at its rare value. */
function findBounds(inputs: readonly Float32Array[], feature: number): Float32Array {
  const values = inputs.map((input) => input[feature] as number).toSorted((a, b) => a - b);
  const [lowest = 0, highest = 0] = [values[0], values.at(-1)];
  const bounds = new Set<number>();
  for (let n = 1; n < settings.bins; n++) {
    const bound = values[Math.floor((values.length * n) / settings.bins)] as number;
    if (bound > lowest) bounds.add(bound);
  }
  if (highest > lowest && bounds.size < 3) bounds.add(highest);
  return Float32Array.from([...bounds].toSorted((a, b) => a - b));
}
