import { expect, test } from "vitest";
import { makeRestarts } from "./restarts.ts";

test("a failing component is restarted five times, with growing pauses", () => {
  const restarts = makeRestarts();
  const pauses = Array.from({ length: 6 }, () => restarts.next(0));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, undefined]);
  expect(restarts.hasGivenUp()).toBe(true);
  restarts.reset();
  expect(restarts.hasGivenUp()).toBe(false);
  expect(restarts.next(0)).toBe(1_000);
});

test("the count starts over after a minute of uptime", () => {
  const restarts = makeRestarts();
  for (let failure = 0; failure < 5; failure++) restarts.next(0);
  expect(restarts.next(60_001)).toBe(1_000);
  expect(restarts.next(0)).toBe(2_000);
});
