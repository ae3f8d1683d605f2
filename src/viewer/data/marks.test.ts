import { expect, test } from "vitest";
import { makeMarks } from "./marks.ts";

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
