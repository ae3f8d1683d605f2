import { formatBytes } from "../../shared/format-bytes.ts";
import { expect, test } from "vitest";
import { formatAge, formatCount, formatDuration, revealInvisible, stripMarkup } from "./format.ts";

test.each([
  ["plain text\n\twith lines", "plain text\n\twith lines"],
  ["user\u202Eexe.txt", "user‹U+202E›exe.txt"],
  ["a\u200Bb\u0000c", "a‹U+200B›b‹U+0000›c"],
  ["ask\u{E0041}ed", "ask‹U+E0041›ed"],
  ["مرحبا 日本語 🐦 👩‍💻", "مرحبا 日本語 🐦 👩‍💻"],
])("%j is shown as %j", (text, shown) => {
  expect(revealInvisible(text)).toBe(shown);
});

test("formats times, sizes and counts", () => {
  expect([0, 30_000, 90_000, 7_200_000].map((ms) => formatAge(0, ms))).toEqual([
    "now",
    "30 s ago",
    "1 min ago",
    "2 h ago",
  ]);
  expect([12, 1_500, 90_000, 3_590_000, 5_400_000, 7_190_000].map(formatDuration)).toEqual([
    ...["12 ms", "2 s", "2 min", "1 h"],
    ...["1 h 30 min", "2 h"],
  ]);
  expect([999, 1_500, 25_000_000].map(formatBytes)).toEqual(["999 B", "1.5 KB", "25 MB"]);
  expect([formatCount(1, "note"), formatCount(0, "note"), formatCount(2, "entry", "entries")]).toEqual([
    "1 note",
    "0 notes",
    "2 entries",
  ]);
});

test.each([
  ["## Fixed\n**Really** fixed, see issue #12", "Fixed\nReally fixed, see issue #12"],
  ["| a | b |\n|---|:-:|\n| 1 | 2 |", "| a | b |\n\n| 1 | 2 |"],
  ["a | b || c", "a | b || c"],
])("%j on one line is %j", (text, shown) => {
  expect(stripMarkup(text)).toBe(shown);
});
