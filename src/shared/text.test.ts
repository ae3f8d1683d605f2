import { expect, test } from "vitest";
import { clip, joinFitting, takeStart, truncate, truncateAtWord, truncateMiddle } from "./text.ts";

test.each([
  ["abcd", 4, "abcd"],
  ["abcde", 4, "abc…"],
  ["ab🐦cd", 4, "ab…"],
  ["ab🐦cd", 5, "ab🐦…"],
])("%j is truncated to %i characters as %j", (text, max, expected) => {
  expect(truncate(text, max)).toBe(expected);
});

test("the start of a text has no half character at its end", () => {
  expect(takeStart("ab🐦", 3)).toBe("ab");
  expect(takeStart("ab🐦", 4)).toBe("ab🐦");
});

test.each([
  ["the quick brown fox", 17, "the quick brown…"],
  ["the quick brown fox", 30, "the quick brown fox"],
  ["a pneumonoultramicroscopic word", 12, "a pneumonou…"],
  ["two\nlines of text", 14, "two\nlines of…"],
])("%j is cut to %i characters at a word as %j", (text, max, expected) => {
  expect(truncateAtWord(text, max)).toBe(expected);
});

test("a clipped text is one line", () => {
  expect(clip(" two\n\n lines  of text ", 14)).toBe("two lines of…");
});

test.each([
  [["one", "two", "three"], 11, "one · two"],
  [["one", "two"], 9, "one · two"],
  [["a long first title"], 14, "a long first…"],
  [[], 12, ""],
])("of %j, those that fit into %i characters are joined whole", (texts, max, expected) => {
  expect(joinFitting(texts, " · ", max)).toBe(expected);
});

test("a text that is cut in the middle keeps head and tail without half characters", () => {
  expect(truncateMiddle("0123456789", 10)).toBe("0123456789");
  expect(truncateMiddle("0123456789abcdefghij", 10)).toBe("0123456\n[… 10 characters left out …]\nhij");
  expect(truncateMiddle("🐦".repeat(10), 10)).toBe("🐦🐦🐦\n[… 12 characters left out …]\n🐦");
});
