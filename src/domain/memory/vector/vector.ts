/** A direction, each component in -127 … 127. The length has no meaning. */
export type Vector = Int8Array;

/** Undefined for the zero vector. */
export function quantise(values: Float32Array): Vector | undefined {
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return undefined;
  const vector = new Int8Array(values.length);
  for (let n = 0; n < values.length; n++) vector[n] = Math.round(((values[n] as number) / largest) * 127);
  return vector;
}

/** The scan compares signs in blocks of this many. */
const block = 128;

export function paddedDimensions(dimensions: number): number {
  return Math.ceil(dimensions / block) * block;
}

/** Appends zeros, which change no cosine and no difference of signs. */
export function pad(vector: Vector): Vector {
  const padded = new Int8Array(paddedDimensions(vector.length));
  padded.set(vector);
  return padded;
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

/** Writes one bit per component, set if it is positive, to `target` from `at` on. */
export function packSigns(vector: Vector, target: Uint32Array, at = 0): void {
  for (let word = 0; word < vector.length / 32; word++) {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) if ((vector[word * 32 + bit] ?? 0) > 0) bits |= 1 << bit;
    target[at + word] = bits;
  }
}
