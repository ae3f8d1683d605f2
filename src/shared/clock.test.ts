import { expect, test } from "vitest";
import { ageMs } from "./clock.ts";

const now = 1_000_000_000;

test.each([
  ["a moment in the past", now - 5, 5],
  ["now", now, 0],
  ["slightly ahead, by the clock of another program", now + 5_000, 0],
  ["a day ahead, from before the clock was set back", now + 86_400_000, Number.POSITIVE_INFINITY],
])("the age of %s", (_what, at, expected) => {
  expect(ageMs(at, now)).toBe(expected);
});
