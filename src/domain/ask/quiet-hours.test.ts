import { expect, test } from "vitest";
import { isQuietAt, parseQuietHours } from "./quiet-hours.ts";

const at = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
};

test.each([
  ["22:00-07:00", "23:30", true],
  ["22:00-07:00", "03:00", true],
  ["22:00-07:00", "22:00", true],
  ["22:00-07:00", "07:00", false],
  ["22:00-07:00", "12:00", false],
  ["13:00-14:30", "13:45", true],
  ["13:00-14:30", "14:30", false],
  ["9:00-9:00", "09:00", false],
])("%s at %s: %s", (span, time, expected) => {
  const quiet = parseQuietHours(span);
  expect(quiet && isQuietAt(quiet, at(time))).toBe(expected);
});

test.each(["", "22-7", "24:00-07:00", "22:60-07:00", "22:00", "22:00-07:00 and more"])(
  "%j is no span",
  (text) => {
    expect(parseQuietHours(text)).toBeUndefined();
  },
);
