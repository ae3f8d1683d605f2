import { expect, test } from "vitest";
import { sayAge, sayBytes, sayCount, sayDuration, showUnseen } from "./words.ts";

test.each([
  ["plain text\n\twith lines", "plain text\n\twith lines"],
  ["user\u202Eexe.txt", "user‹U+202E›exe.txt"],
  ["a\u200Bb\u0000c", "a‹U+200B›b‹U+0000›c"],
  ["ask\u{E0041}ed", "ask‹U+E0041›ed"],
  ["مرحبا 日本語 🐦 👩‍💻", "مرحبا 日本語 🐦 👩‍💻"],
])("%j is shown as %j", (text, shown) => {
  expect(showUnseen(text)).toBe(shown);
});

test("times, sizes and counts read well", () => {
  expect([0, 30_000, 90_000, 7_200_000].map((ms) => sayAge(0, ms))).toEqual([
    "now",
    "30 s ago",
    "1 min ago",
    "2 h ago",
  ]);
  expect([12, 1_500, 90_000, 5_400_000].map(sayDuration)).toEqual(["12 ms", "2 s", "2 min", "1 h 30 min"]);
  expect([999, 1_500, 25_000_000].map(sayBytes)).toEqual(["999 B", "1.5 KB", "25 MB"]);
  expect([sayCount(1, "note"), sayCount(0, "note"), sayCount(2, "entry", "entries")]).toEqual([
    "1 note",
    "0 notes",
    "2 entries",
  ]);
});
