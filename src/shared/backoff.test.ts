import { expect, test } from "vitest";
import { backoffMs, maxTimerMs } from "./backoff.ts";

const backoff = { firstMs: 1_000, maxMs: 60_000 };

test.each([
  [1, {}, 1_000],
  [2, {}, 2_000],
  [7, {}, 60_000],
  [5_000, {}, 60_000],
  [3, { random: 0 }, 3_000],
  [3, { random: 1 }, 5_000],
  [1, { askedMs: 30_000 }, 30_000],
  [1, { askedMs: 10 ** 12 }, maxTimerMs],
])("after %i failures, with %j, the pause is %i ms", (failures, options, expected) => {
  expect(backoffMs(failures, backoff, options)).toBe(expected);
});
