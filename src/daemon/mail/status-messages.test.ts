import { expect, onTestFinished, test } from "vitest";
import { formatMinute } from "./status-messages.ts";

test.each([
  ["Europe/Berlin", "2026-11-19 10:57 GMT+1"],
  ["America/New_York", "2026-11-19 04:57 EST"],
  ["UTC", "2026-11-19 09:57 UTC"],
])("the end of a lease is given in the local time of %s", (zone, text) => {
  const before = process.env.TZ;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });
  process.env.TZ = zone;
  expect(formatMinute(Date.UTC(2026, 10, 19, 9, 57))).toBe(text);
});
