/** Boosted decision trees, as trained by scripts/train-distil.ts. */
export interface Trees {
  base: number;
  /** Ascending bin boundaries of each feature. */
  bounds: readonly Float32Array[];
  trees: readonly Tree[];
}

/** Nodes in index order; a leaf has feature -1; a node's two children are adjacent. */
export interface Tree {
  features: Int16Array;
  bins: Uint8Array;
  children: Uint8Array;
  values: Float32Array;
}

export function scoreTrees({ base, bounds, trees }: Trees, input: Float32Array): number {
  const bins = new Uint8Array(input.length);
  for (let feature = 0; feature < input.length; feature++)
    bins[feature] = binOf(bounds[feature] as Float32Array, input[feature] as number);
  let score = base;
  for (const { features, bins: limits, children, values } of trees) {
    let at = 0;
    for (let feature = features[at] as number; feature >= 0; feature = features[at] as number)
      at = (children[at] as number) + Number((bins[feature] as number) > (limits[at] as number));
    score += values[at] as number;
  }
  return score;
}

/** The number of bounds less than or equal to the value. */
export function binOf(bounds: Float32Array, value: number): number {
  let [from, to] = [0, bounds.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (value >= (bounds[middle] as number)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Layout, little-endian: base and counts, the bounds of each feature, then the node count and nodes of each tree. */
export function packTrees({ base, bounds, trees }: Trees): Uint8Array {
  const size =
    12 +
    bounds.reduce((sum, { length }) => sum + 1 + 4 * length, 0) +
    trees.reduce((sum, { bins }) => sum + 1 + 8 * bins.length, 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setFloat32(0, base, true);
  view.setUint32(4, bounds.length, true);
  view.setUint32(8, trees.length, true);
  let at = 12;
  for (const list of bounds) {
    view.setUint8(at++, list.length);
    for (const bound of list) {
      view.setFloat32(at, bound, true);
      at += 4;
    }
  }
  for (const { features, bins, children, values } of trees) {
    view.setUint8(at++, bins.length);
    for (let node = 0; node < bins.length; node++) {
      view.setInt16(at, features[node] as number, true);
      view.setUint8(at + 2, bins[node] as number);
      view.setUint8(at + 3, children[node] as number);
      view.setFloat32(at + 4, values[node] as number, true);
      at += 8;
    }
  }
  return bytes;
}

export function readTrees(bytes: Uint8Array): Trees {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [boundsCount, treeCount] = [view.getUint32(4, true), view.getUint32(8, true)];
  let at = 12;
  const bounds = Array.from({ length: boundsCount }, () => {
    const list = new Float32Array(view.getUint8(at++));
    for (let n = 0; n < list.length; n++, at += 4) list[n] = view.getFloat32(at, true);
    return list;
  });
  const trees = Array.from({ length: treeCount }, (): Tree => {
    const count = view.getUint8(at++);
    const tree = {
      features: new Int16Array(count),
      bins: new Uint8Array(count),
      children: new Uint8Array(count),
      values: new Float32Array(count),
    };
    for (let node = 0; node < count; node++, at += 8) {
      tree.features[node] = view.getInt16(at, true);
      tree.bins[node] = view.getUint8(at + 2);
      tree.children[node] = view.getUint8(at + 3);
      tree.values[node] = view.getFloat32(at + 4, true);
    }
    return tree;
  });
  return { base: view.getFloat32(0, true), bounds, trees };
}
