/** A direction, each part in -127 … 127. How long it is says nothing. */
export type Vector = Int8Array;

/** Undefined for a vector that points nowhere. */
export function quantise(values: Float32Array): Vector | undefined {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return undefined;
  return Int8Array.from(values, (value) => Math.round((value / largest) * 127));
}

export function cosine(a: Vector, b: Vector): number {
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let n = 0; n < a.length; n++) {
    const x = a[n] as number;
    const y = b[n] as number;
    dot += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return lengthA === 0 || lengthB === 0 ? 0 : dot / Math.sqrt(lengthA * lengthB);
}

/** One bit for each part, set where it is positive, written to `target` from `at` on. */
export function packSigns(vector: Vector, target: Uint32Array, at = 0): void {
  for (let word = 0; word < vector.length / 32; word++) {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) if ((vector[word * 32 + bit] ?? 0) > 0) bits |= 1 << bit;
    target[at + word] = bits;
  }
}

/** In how many bits the stretch of `all` that begins at `at` differs from `one`, which has at most 30 words. */
export function countDifferences(one: Uint32Array, all: Uint32Array, at: number): number {
  let sums = 0;
  for (let word = 0; word < one.length; word++) {
    let bits = (one[word] as number) ^ (all[at + word] as number);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    // Four counts side by side, a byte each, added up once at the end.
    sums += (bits + (bits >>> 4)) & 0x0f0f0f0f;
  }
  return Math.imul((sums & 0x00ff00ff) + ((sums >>> 8) & 0x00ff00ff), 0x00010001) >>> 16;
}
