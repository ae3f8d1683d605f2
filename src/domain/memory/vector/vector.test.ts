import { describe, expect, it } from "vitest";
import { cosine, packSigns, quantise } from "./vector.ts";

const random = (
  (state) => () =>
    (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32 - 0.5
)(1);
const some = (length = 256): Float32Array => Float32Array.from({ length }, random);
const exact = (a: Float32Array, b: Float32Array): number => {
  const dot = (x: Float32Array, y: Float32Array): number => x.reduce((sum, v, n) => sum + v * (y[n] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

describe("vectors", () => {
  it("keep their angles almost exactly when quantised", () => {
    for (let n = 0; n < 50; n++) {
      const [a, b] = [some(), some()];
      const [x, y] = [quantise(a), quantise(b)];
      expect(x && y && cosine(x, y)).toBeCloseTo(exact(a, b), 2);
    }
  });

  it("are undefined for the zero vector", () => {
    expect(quantise(new Float32Array(256))).toBeUndefined();
    expect(cosine(new Int8Array(4), new Int8Array([1, 2, 3, 4]))).toBe(0);
  });

  it("are packed as one bit per sign", () => {
    const bits = new Uint32Array(3);
    packSigns(
      Int8Array.from({ length: 64 }, (_, n) => (n % 32 < 2 ? 1 : -1)),
      bits,
      1,
    );
    expect([...bits]).toEqual([0, 3, 3]);
  });
});
