import { expect, test } from "vitest";
import { makeMarks, startNearMatch } from "./marks.ts";

test.each([
  ["wombats", "A wombat digs", ["wombat"]],
  ["wom", "Wombats and women", ["Wombats", "women"]],
  ["index ord", "the orders index, reordered", ["orders", "index"]],
  ["a.*", "a.* is text", []],
  ["$(x) [y", "nothing", []],
])("marks the words of %j in %j", (query, text, found) => {
  const marks = makeMarks(query);
  const parts = marks ? text.split(marks) : [text];
  expect(parts.filter((_, index) => index % 2 === 1)).toEqual(found);
  expect(parts.join("")).toBe(text);
});

test.each([
  ["A wombat digs a hole", "A wombat digs a hole"],
  [
    "Before the rain of the second week ended, a wombat dug",
    "… the rain of the second week ended, a wombat dug",
  ],
  [`${"x".repeat(60)}/wombat dug`, "… wombat dug"],
  ["Nothing of the kind is in this rather long text.", "Nothing of the kind is in this rather long text."],
])("starts %j near its match", (snippet, shown) => {
  expect(startNearMatch(snippet, makeMarks("wombat"))).toBe(shown);
  expect(startNearMatch(snippet, undefined)).toBe(snippet);
});
