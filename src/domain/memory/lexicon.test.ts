import { expect, test } from "vitest";
import { listMeanings, translateWords } from "./lexicon.ts";

test.each([
  ["결제가 지연되었다", ["pay", "payment", "delay", "slow"]],
  ["決済が遅れた", ["pay", "payment", "delay", "slow"]],
  ["支付延迟", ["pay", "payment", "delay", "slow"]],
])("%s has the same meanings in each language", (text, meanings) => {
  expect(listMeanings(text)).toEqual(expect.arrayContaining(meanings));
});

test("the longest word counts, not the words that it contains", () => {
  expect(listMeanings("数据库")).toEqual(["database", "db"]);
  expect(listMeanings("データベース")).toEqual(["database", "db"]);
});

test("a Korean noun of one syllable is recognised by itself or with an ending, not within a word", () => {
  expect(listMeanings("앱을")).toContain("app");
  expect(listMeanings("앱")).toContain("app");
  expect(listMeanings("트앱")).not.toContain("app");
});

test("half-width and full-width forms are the same word", () => {
  expect(listMeanings("ｻｰﾊﾞｰ")).toContain("server");
});

test("Latin text has no meanings, and is not translated", () => {
  expect(listMeanings("the pool ran dry — naïve…")).toEqual([]);
  expect(translateWords("the pool ran dry — naïve…")).toBeUndefined();
});

test("names stay in a translated text", () => {
  expect(translateWords("Redis 缓存过期")?.split(/\s+/)).toEqual(
    expect.arrayContaining(["Redis", "cache", "expire"]),
  );
});

test("a text is not translated if hardly a word of it is known", () => {
  expect(translateWords("春眠不觉晓处处闻啼鸟夜来风雨声花落知多少")).toBeUndefined();
});
