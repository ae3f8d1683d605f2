import { describe, expect, it } from "vitest";
import { weighPieces } from "./weigh-pieces.ts";

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);
const shareOf = (pieces: number[], piece: number): number =>
  weighPieces(pieces).reduce((sum, weight, place) => (pieces[place] === piece ? sum + weight : sum), 0);

describe("weighPieces", () => {
  it("returns weights that sum to 1", () => {
    for (const pieces of [[7], [7, 7, 8], range(0, 300)])
      expect(weighPieces(pieces).reduce((a, b) => a + b)).toBeCloseTo(1, 5);
    expect([...weighPieces([])]).toEqual([]);
  });

  it("counts a piece that occurs four times double", () => {
    const pieces = [1, 1, 1, 1, 2];
    expect(shareOf(pieces, 1) / shareOf(pieces, 2)).toBeCloseTo(2, 5);
  });

  it("counts the beginning of a text double", () => {
    const pieces = range(0, 100);
    expect(shareOf(pieces, 23) / shareOf(pieces, 24)).toBeCloseTo(2, 5);
    expect(shareOf(pieces, 0)).toBeCloseTo(shareOf(pieces, 23), 5);
  });

  it("gives the pieces of a short question equal weight", () => {
    expect(new Set(weighPieces(range(0, 10))).size).toBe(1);
  });
});
