import { describe, expect, it } from "vitest";
import { compileGlob, matchesText, matchesWords, maxGlobLength, compileTypeGlob } from "./glob.ts";

const push = (pattern: string) => compileGlob(pattern);

describe("matching a full value", () => {
  it.each([
    ["m.room.*", "m.room.member", true],
    ["m.room.*", "m.room.", true],
    ["m.room.*", "xm.room.a", false],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["*", "", true],
    ["**", "abc", true],
    ["*b*", "abc", true],
    ["a*b*c", "axxbxxc", true],
    ["a*b*c", "axxcxxb", false],
    ["\\*", "*", true],
    ["\\*", "x", false],
    ["a\\?", "a?", true],
    ["a\\b", "a\\b", true],
    ["a.c", "abc", false],
    ["ABC", "abc", true],
    ["a*", "a\nb", true],
    ["[a]", "a", false],
  ])("%j on %j: %s", (pattern, text, expected) => {
    expect(matchesText(push(pattern), text)).toBe(expected);
  });
});

describe("matching words of a text", () => {
  it.each([
    ["cat", "the Cat sat", true],
    ["cat", "concatenate", false],
    ["cat", "cat", true],
    ["cat", "a cat.", true],
    ["cat", "catcat cat", true],
    ["cat", "_cat_", false],
    ["c?t", "the cut", true],
    ["ca*", "a castle wall", true],
    ["*ing", "he is sing along", true],
    ["a*z", "x a b c z", true],
    ["a*z", "x a b c zy", false],
    ["@room", "hello @room!", true],
    ["über", "das über alles", true],
  ])("%j in %j: %s", (pattern, text, expected) => {
    expect(matchesWords(push(pattern), text)).toBe(expected);
  });
});

describe("matching event types", () => {
  it.each([
    ["m.*", "m.room", true],
    ["M.*", "m.room", false],
    ["a?", "ab", false],
    ["a?", "a?", true],
    ["a\\*", "a\\b", true],
    ["*.*.x", "a.b.x", true],
    ["*.*.x", "a.x", false],
  ])("%j on %j: %s", (pattern, text, expected) => {
    expect(matchesText(compileTypeGlob(pattern), text)).toBe(expected);
  });
});

it("agrees with the backtracking matcher on random patterns", () => {
  let seed = 1;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const draw = (letters: string, length: number): string =>
    Array.from({ length: random(length) + 1 }, () => letters[random(letters.length)]).join("");
  for (let i = 0; i < 5_000; i++) {
    const [pattern, text] = [draw("ab*? ", i % 10 === 0 ? 70 : 6), draw("ab ", 12)];
    const source = pattern.replaceAll("*", ".*").replaceAll("?", ".");
    const glob = push(pattern);
    const words = new RegExp(`(?:^|\\W)${source}(?:$|\\W)`, "is").test(text);
    expect([pattern, text, matchesText(glob, text)]).toEqual([
      pattern,
      text,
      new RegExp(`^${source}$`, "is").test(text),
    ]);
    expect([pattern, text, matchesWords(glob, text)]).toEqual([pattern, text, words]);
  }
});

it("takes time proportional to the text for any pattern", () => {
  const hostile = `${"a*".repeat(maxGlobLength / 2 - 1)}b`;
  const glob = push(hostile);
  const time = (length: number): number => {
    const text = "a".repeat(length);
    const started = performance.now();
    expect(matchesText(glob, text)).toBe(false);
    expect(matchesWords(glob, text)).toBe(false);
    return performance.now() - started;
  };
  time(1_000);
  expect(time(60_000)).toBeLessThan(5_000);
});

it("never matches a pattern that is too long", () => {
  const text = "a".repeat(maxGlobLength + 1);
  expect(matchesText(push(text), text)).toBe(false);
  expect(matchesWords(push(text), text)).toBe(false);
  expect(matchesText(push(text.slice(1)), text.slice(1))).toBe(true);
});
