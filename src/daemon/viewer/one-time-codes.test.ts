import { expect, test } from "vitest";
import { openOneTimeCodes } from "./one-time-codes.ts";

test("a code works once and within a minute; other codes do not", () => {
  let now = 1_000;
  const codes = openOneTimeCodes(() => now);
  const { code, expiresAt } = codes.issue();
  expect(expiresAt).toBe(61_000);
  expect(codes.redeem(`${code}x`)).toBe(false);
  expect(codes.redeem(code)).toBe(true);
  expect(codes.redeem(code)).toBe(false);

  const late = codes.issue().code;
  now += 60_000;
  expect(codes.redeem(late)).toBe(false);

  const early = codes.issue().code;
  now -= 50_000; // The system time was set back.
  expect(codes.redeem(early)).toBe(false);
});

test("the number of open codes is limited: the oldest are dropped first", () => {
  const codes = openOneTimeCodes(() => 0);
  const issued = Array.from({ length: 40 }, () => codes.issue().code);
  expect(codes.redeem(issued[0] ?? "")).toBe(false);
  expect(codes.redeem(issued[39] ?? "")).toBe(true);
});
