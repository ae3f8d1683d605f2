import { expect, test } from "vitest";
import { parsePrompt, parseQuery, parseTyping } from "./query.ts";
import { makeSnippet } from "./snippet.ts";
import { listWords, splitIdentifiers } from "./words.ts";

test.each([
  ["retryDelayMs", ["retry", "delay", "ms", "retrydelayms"]],
  ["retry_delay_ms", ["retry", "delay", "ms", "retrydelayms"]],
  ["HTTPServer", ["http", "server", "httpserver"]],
  ["src/db/pool.ts", ["src", "db", "pool", "ts", "srcdbpoolts"]],
  ["utf8", ["utf", "8", "utf8"]],
  ["plain words here", []],
])("splits %s", (text, pieces) => {
  expect(splitIdentifiers(text)).toEqual(pieces);
});

test("splits a long run of capitals in time that grows with its length", () => {
  const before = process.threadCpuUsage();
  expect(splitIdentifiers(`${"É".repeat(60_000)}_x`)).toHaveLength(3);
  const { user, system } = process.threadCpuUsage(before);
  expect(user + system).toBeLessThan(1_000_000); // Quadratic time is several times that.
});

test("finds words in any script", () => {
  expect(listWords("Größe, naïve 日本語 x2!")).toEqual(["größe", "naïve", "日本語", "x2"]);
});

test.each([
  ["pool timeout", { words: ["pool", "timeout"], phrases: [], excluded: [] }],
  ['"exact phrase" pool', { words: ["pool"], phrases: [["exact", "phrase"]], excluded: [] }],
  ['pool -kafka -"dead letter"', { words: ["pool"], phrases: [], excluded: [["dead", "letter"], ["kafka"]] }],
  [
    'crash in "load more" button of the list view',
    { words: ["crash", "load", "more", "button", "list", "view"], phrases: [], excluded: [] },
  ],
  [
    "replace GNU sort -V with a portable version sort",
    { words: ["replace", "gnu", "sort", "v", "portable", "version"], phrases: [], excluded: [] },
  ],
  ["the of and", { words: ["the", "of", "and"], phrases: [], excluded: [] }],
  ['" "', { words: [], phrases: [], excluded: [] }],
  ["", { words: [], phrases: [], excluded: [] }],
])("reads the query %j", (text, query) => {
  expect(parseQuery(text)).toMatchObject(query);
});

test.each([
  ["postgres ind", "ind"],
  ["retryDel", "retrydel"],
  ["src/zoo/wom", "wom"],
  ["wo", undefined],
  ["wombat ", undefined],
  ['"wombat"', undefined],
  ["pool -kaf", undefined],
  ["dark the", undefined],
])("treats the end of %j as an unfinished word: %s", (text, unfinished) => {
  expect(parseTyping(text).unfinished).toBe(unfinished);
  expect(parseTyping(text)).toMatchObject(parseQuery(text));
});

test.each([
  ["pool timeout", parseQuery, undefined],
  ["why does the pool time out after every deploy", parseQuery, undefined],
  ["why does the pool time out after every deploy", parseTyping, undefined],
  ["why does the pool time out after every deploy", parsePrompt, true],
])("limits the effort for %j only if a prompt waits", (text, parse, isHurried) => {
  expect(parse(text)?.isHurried).toBe(isHurried);
});

test("leaves exclusions out of the text compared by meaning", () => {
  expect(listWords(parseQuery('pool "dead letter" -kafka').text)).toEqual(["pool", "dead", "letter"]);
});

test("shows the part of a text with the search words", () => {
  const text = `${"filler ".repeat(100)}the pool was exhausted by retries ${"filler ".repeat(100)}`;
  const snippet = makeSnippet(text, ["pool", "retries"]);
  expect(snippet).toContain("the pool was exhausted by retries");
  expect(snippet.length).toBeLessThan(260);
});

test("a query has a limited number of phrases and exclusions", () => {
  expect(parseQuery("-word ".repeat(500)).excluded).toHaveLength(20);
  expect(parseQuery('"a phrase" '.repeat(500)).phrases).toHaveLength(20);
});
