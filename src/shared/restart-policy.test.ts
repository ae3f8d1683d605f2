import { expect, test } from "vitest";
import { makeRestartPolicy } from "./restart-policy.ts";

test("a failing component is restarted five times, with growing pauses", () => {
  const restarts = makeRestartPolicy();
  const pauses = Array.from({ length: 6 }, () => restarts.nextPauseMs(0));
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, undefined]);
  expect(restarts.hasGivenUp()).toBe(true);
  restarts.reset();
  expect(restarts.hasGivenUp()).toBe(false);
  expect(restarts.nextPauseMs(0)).toBe(1_000);
});

test("the count starts over after a minute of uptime", () => {
  const restarts = makeRestartPolicy();
  for (let failure = 0; failure < 5; failure++) restarts.nextPauseMs(0);
  expect(restarts.nextPauseMs(60_001)).toBe(1_000);
  expect(restarts.nextPauseMs(0)).toBe(2_000);
});
