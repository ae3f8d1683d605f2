import { expect, test } from "vitest";
import { listSentences, readSentences } from "./sentences.ts";

/** A pattern that backtracks would take minutes or hours for one of these. */
test.each([
  " ",
  "\t",
  "#",
  "# ",
  "|",
  "| ",
  "-",
  "- ",
  ":",
  "*",
  "**",
  "_ ",
  "[",
  "![",
  "](",
  "[x](",
  "((",
  "<b ",
  "e.g. ",
  "1. ",
])("a line of many %j is read in linear time", (piece) => {
  const text = `${piece.repeat(40_000 / piece.length)}x`;
  expect(listSentences(text).length).toBeLessThanOrEqual(40_000);
});

test.each([
  ["## Cause ##", "Cause"],
  ["  ### Two causes:  ", "Two causes"],
  ["**Result**:", "Result"],
])("the heading of %j is %j", (line, heading) => {
  expect(readSentences(line)).toMatchObject([{ place: "heading", text: heading }]);
});

test.each([
  ["see [the docs](https://a.b/c_(d)) now.", "see the docs now."],
  ["see [[1]](https://a.b) now.", "see [1] now."],
  ["an ![image](x.png) here.", "an image here."],
])("links in %j are reduced to their text", (line, text) => {
  expect(listSentences(line)).toEqual([text]);
});
