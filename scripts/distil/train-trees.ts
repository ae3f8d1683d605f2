import { binOf, type Tree, type Trees } from "../../src/domain/memory/distil/trees.ts";
import { makeRandom } from "./train-linear.ts";

const settings = {
  trees: 150,
  depth: 4,
  rate: 0.06,
  minRows: 20,
  /** L2 regularisation of the leaf values. */
  l2: 5,
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
    const hessians = scores.map((score) => Math.exp(-score) / (1 + Math.exp(-score)) ** 2);
    const rows = [...inputs.keys()].filter(() => random() < settings.rowShare);
    const features = varying.filter(() => random() < settings.featureShare);
    const tree = growTree({ binned, bounds, gradients, hessians, features }, rows);
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
  hessians: Float64Array;
  features: readonly number[];
}

function growTree(set: TrainingSet, all: number[]): Tree {
  const nodes: { feature: number; bin: number; child: number; value: number }[] = [];
  const addNode = (): number => nodes.push({ feature: -1, bin: 0, child: 0, value: 0 }) - 1;
  const stack = [{ at: addNode(), rows: all, depth: 0 }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { at, rows, depth } = next;
    const node = nodes[at] as (typeof nodes)[number];
    const { gradient, hessian } = sumUp(set, rows);
    node.value = (-settings.rate * gradient) / (hessian + settings.l2);
    const split = depth < settings.depth ? findSplit(set, rows, gradient, hessian) : undefined;
    if (!split) continue;
    node.feature = split.feature;
    node.bin = split.bin;
    node.child = addNode();
    const right = addNode();
    const isLeft = (row: number): boolean => (set.binned[row]?.[split.feature] ?? 0) <= split.bin;
    stack.push({ at: node.child, rows: rows.filter(isLeft), depth: depth + 1 });
    stack.push({ at: right, rows: rows.filter((row) => !isLeft(row)), depth: depth + 1 });
  }
  return {
    features: Int16Array.from(nodes, ({ feature }) => feature),
    bins: Uint8Array.from(nodes, ({ bin }) => bin),
    children: Uint8Array.from(nodes, ({ child }) => child),
    values: Float32Array.from(nodes, ({ value }) => value),
  };
}

function sumUp(
  { gradients, hessians }: TrainingSet,
  rows: readonly number[],
): { gradient: number; hessian: number } {
  let [gradient, hessian] = [0, 0];
  for (const row of rows) {
    gradient += gradients[row] as number;
    hessian += hessians[row] as number;
  }
  return { gradient, hessian };
}

function findSplit(
  set: TrainingSet,
  rows: readonly number[],
  gradient: number,
  hessian: number,
): { feature: number; bin: number } | undefined {
  const { binned, bounds, gradients, hessians, features } = set;
  const { minRows, l2 } = settings;
  if (rows.length < 2 * minRows) return undefined;
  const parentScore = gradient ** 2 / (hessian + l2);
  let best: { feature: number; bin: number; gain: number } | undefined;
  for (const feature of features) {
    const size = (bounds[feature]?.length ?? 0) + 1;
    const [g, h, n] = [new Float64Array(size), new Float64Array(size), new Int32Array(size)];
    for (const row of rows) {
      const bin = (binned[row] as Uint8Array)[feature] as number;
      g[bin] = (g[bin] as number) + (gradients[row] as number);
      h[bin] = (h[bin] as number) + (hessians[row] as number);
      n[bin] = (n[bin] as number) + 1;
    }
    let [leftGradient, leftHessian, leftCount] = [0, 0, 0];
    for (let bin = 0; bin < size - 1; bin++) {
      leftGradient += g[bin] as number;
      leftHessian += h[bin] as number;
      leftCount += n[bin] as number;
      if (leftCount < minRows || rows.length - leftCount < minRows) continue;
      const gain =
        leftGradient ** 2 / (leftHessian + l2) +
        (gradient - leftGradient) ** 2 / (hessian - leftHessian + l2) -
        parentScore;
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
