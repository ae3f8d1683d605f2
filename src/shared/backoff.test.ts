import { expect, test } from "vitest";
import { backoffMs, maxTimerMs, remainingMs } from "./backoff.ts";

const backoff = { firstMs: 1_000, maxMs: 60_000 };

test.each([
  [1, {}, 1_000],
  [2, {}, 2_000],
  [7, {}, 60_000],
  [5_000, {}, 60_000],
  [3, { random: 0 }, 3_000],
  [3, { random: 1 }, 5_000],
  [1, { retryAfterMs: 30_000 }, 30_000],
  [1, { retryAfterMs: 10 ** 12 }, maxTimerMs],
])("after %i failures, with %j, the pause is %i ms", (failures, options, expected) => {
  expect(backoffMs(failures, backoff, options)).toBe(expected);
});

test.each([
  ["in a second", 1_000, 1_000],
  ["now", 0, 0],
  ["an hour ago", -3_600_000, 0],
  ["farther ahead than any pause", 60_001, 0],
])("a message that is due %s (%i ms) waits %i ms", (_when, aheadMs, expected) => {
  expect(remainingMs(5_000_000 + aheadMs, 5_000_000, 60_000)).toBe(expected);
});
