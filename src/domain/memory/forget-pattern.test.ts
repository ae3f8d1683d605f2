import { expect, test } from "vitest";
import { makePathPattern, makePhrasePattern } from "./forget-pattern.ts";

const finds = (source: string, text: string): boolean => new RegExp(source, "iu").test(text);

test.each([
  ["hunter2", "the password is Hunter2."],
  ["blue lantern", "blue\n  lantern"],
  ["blue lantern", JSON.stringify({ text: "blue\nlantern" })],
  ["blue lantern", JSON.stringify({ text: JSON.stringify({ text: "blue\r\n\tlantern" }) })],
  ['say "yes" now', JSON.stringify({ text: 'say "yes" now' })],
  ['say "yes" now', JSON.stringify({ text: JSON.stringify('say "yes" now') })],
  ["C:\\keys\\a.pem", JSON.stringify("C:\\keys\\a.pem")],
  ["Zürich 東京", "in zürich 東京!"],
  ["Zürich", "Z\\u00fcrich"],
  ["🦜 plan", "\\ud83e\\udd9c plan"],
  ["a.b(c)*[d]", "a.b(c)*[d]"],
  ["\u001b[31mred", JSON.stringify("\u001b[31mred")],
  ["a\bb", JSON.stringify("a\bb")],
  ["page one", JSON.stringify("page\fone")],
  ["page one", JSON.stringify("page\u000bone")],
])("%j is found in %s", (phrase, text) => {
  expect(finds(makePhrasePattern(phrase), text)).toBe(true);
});

test.each([
  ["a.b", "axb"],
  ["blue lantern", "blue and lantern"],
  ["hunter2", "hunter 2"],
])("%j is not found in %s", (phrase, text) => {
  expect(finds(makePhrasePattern(phrase), text)).toBe(false);
});

test.each([
  ["src/pool.ts", "/home/me/api/src/pool.ts", true],
  ["src/pool.ts", JSON.stringify({ file_path: "C:\\api\\src\\pool.ts" }), true],
  ["src/pool.ts", "see `src/pool.ts`: it", true],
  ["src/pool.ts", "It is src/pool.ts.", true],
  ["pool.ts", "mypool.ts", false],
  ["pool.ts", "pool.tsx", false],
  ["pool.ts", "pool.ts.bak", false],
  ["my notes/a b.md", "in my notes/a b.md now", true],
])("path %j in %s: %s", (path, text, found) => {
  expect(finds(makePathPattern(path), text)).toBe(found);
});

test("many backslashes take linear time", () => {
  const pattern = new RegExp(makePhrasePattern(`${"\\".repeat(25)}x`), "iu");
  expect(pattern.test(`${"\\".repeat(60)}y`)).toBe(false);
  expect(pattern.test(`${"\\".repeat(60)}x`)).toBe(true);
  expect(pattern.test(`${"\\".repeat(24)}x`)).toBe(false);
});
