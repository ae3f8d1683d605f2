import { describe, expect, it } from "vitest";
import { isRelevant, rescaleCosine } from "../rank.ts";
import { calibratePairs, calibrateQuery } from "./calibrate.ts";
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
    const onScale = vectors.slice(0, 20).flatMap((query, n) => {
      const others = vectors.filter((_, other) => other !== n);
      const scale = calibrateQuery(query, others);
      return scale ? others.map((other) => rescaleCosine(cosine(query, other), scale)) : [];
    });
    expect(onScale).toHaveLength(20 * 199);
    const mean = onScale.reduce((sum, value) => sum + value, 0) / onScale.length;
    expect(mean).toBeCloseTo(0.06, 1);
    const found = onScale.filter((value) => isRelevant({ ...candidate, cosine: value }));
    expect(found.length).toBeLessThan(0.05 * onScale.length);
  });

  it("finds a related text, however alike all texts of the model look", () => {
    const vectors = makeVectors(200, 1);
    const [query, other, ...rest] = vectors as [Vector, Vector, ...Vector[]];
    const related = quantise(Float32Array.from(query, (value, n) => value + (other[n] as number)));
    const scale = calibrateQuery(query, rest);
    const onScale = scale && related && rescaleCosine(cosine(query, related), scale);
    expect(isRelevant({ ...candidate, cosine: onScale })).toBe(true);
  });

  it("hardly changes with a few related texts", () => {
    const vectors = makeVectors(200, 0.3);
    const withTwins = vectors.map((vector, n) => (n % 20 === 0 ? (vectors[0] as Vector) : vector));
    expect(calibratePairs(withTwins)?.mean).toBeCloseTo(calibratePairs(vectors)?.mean ?? 0, 1);
  });

  it("is not attempted with too few vectors, or with vectors that are all alike", () => {
    expect(calibratePairs(makeVectors(31, 0))).toBeUndefined();
    const alike = Array.from({ length: 100 }, () => new Int8Array(256).fill(1));
    expect(calibratePairs(alike)).toBeUndefined();
    expect(calibrateQuery(new Int8Array(256).fill(1), alike)).toBeUndefined();
  });
});

const candidate = { row: 1, sessionId: null, createdAt: 0, wordScore: 0, spellingScore: undefined };
