import { expect, test } from "vitest";
import { makeChartData } from "./chart-data.ts";

test("a single value has a minute before it", () => {
  expect(makeChartData([120_000], [[5], [7]])).toEqual([
    [60, 120],
    [null, 5],
    [null, 7],
  ]);
});

test("several values are kept as they are, and none is added to no values", () => {
  expect(makeChartData([1_000, 2_000], [[5, null]])).toEqual([
    [1, 2],
    [5, null],
  ]);
  expect(makeChartData([], [[]])).toEqual([[], []]);
});
