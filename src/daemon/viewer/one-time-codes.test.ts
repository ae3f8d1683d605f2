import { expect, test } from "vitest";
import { openOneTimeCodes } from "./one-time-codes.ts";

test("a code works once and within a minute; other codes do not", () => {
  let now = 1_000;
  const codes = openOneTimeCodes(() => now);
  const { code, expiresAt } = codes.issue(true);
  expect(expiresAt).toBe(61_000);
  expect(codes.redeem(`${code}x`)).toBeUndefined();
  expect(codes.redeem(code)).toMatchObject({ isForPerson: true });
  expect(codes.redeem(code)).toBeUndefined();

  const late = codes.issue(true).code;
  now += 60_000;
  expect(codes.redeem(late)).toBeUndefined();

  const early = codes.issue(true).code;
  now -= 50_000; // The system time was set back.
  expect(codes.redeem(early)).toBeUndefined();
});

test("the number of open codes is limited: the oldest are dropped first", () => {
  const codes = openOneTimeCodes(() => 0);
  const issued = Array.from({ length: 40 }, () => codes.issue(true).code);
  expect(codes.redeem(issued[0] ?? "")).toBeUndefined();
  expect(codes.redeem(issued[39] ?? "")).toMatchObject({ isForPerson: true });
});
