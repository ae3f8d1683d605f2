import { describe, expect, it } from "vitest";
import { isFind, onTableScale } from "../rank.ts";
import { calibrate } from "./calibrate.ts";
import { cosine, quantise, type Vector } from "./vector.ts";

/** Random directions around a common one: the larger `common`, the more alike all texts of the model look. */
function makeVectors(count: number, common: number): Vector[] {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x3fffffff - 1;
  };
  return Array.from({ length: count }, () =>
    quantise(Float32Array.from({ length: 256 }, () => random() + common)),
  ).filter((vector) => vector !== undefined);
}

describe("calibrating a model", () => {
  it.each([0, 0.3, 1])("puts unrelated texts in the same place, with a common part of %d", (common) => {
    const vectors = makeVectors(200, common);
    const scale = calibrate(vectors);
    expect(scale).toBeDefined();
    if (!scale) return;
    const onScale = vectors.flatMap((one, n) =>
      vectors.slice(n + 1).map((other) => onTableScale(cosine(one, other), scale)),
    );
    const mean = onScale.reduce((sum, value) => sum + value, 0) / onScale.length;
    expect(mean).toBeCloseTo(0.06, 1);
    const found = onScale.filter((meaning) => isFind({ ...candidate, meaning }));
    expect(found.length).toBeLessThan(0.05 * onScale.length);
    expect(isFind({ ...candidate, meaning: onTableScale(1, scale) })).toBe(true);
  });

  it("hardly changes with a few related pairs", () => {
    const vectors = makeVectors(200, 0.3);
    const withTwins = vectors.map((vector, n) => (n % 20 === 0 ? (vectors[0] as Vector) : vector));
    expect(calibrate(withTwins)?.mean).toBeCloseTo(calibrate(vectors)?.mean ?? 0, 1);
  });

  it("is not attempted with too few vectors, or with vectors that are all alike", () => {
    expect(calibrate(makeVectors(31, 0))).toBeUndefined();
    expect(calibrate(Array.from({ length: 100 }, () => new Int8Array(256).fill(1)))).toBeUndefined();
  });
});

const candidate = { row: 1, sessionId: null, createdAt: 0, words: 0, spelling: undefined };
