import { expect, test } from "vitest";
import { makeRowText } from "./row-text.ts";

test.each([
  [
    "a cut title is replaced by its sentence",
    "The cache is only cleared when the worker…",
    "Found it. The cache is only cleared when the worker restarts, never on deploy. More follows.",
    "The cache is only cleared when the worker restarts, never on deploy",
  ],
  [
    "a title that ends at a clause gets the rest of its sentence",
    "`retry` was made for uploads",
    "`retry` was made for uploads, not for downloads.",
    "`retry` was made for uploads, not for downloads",
  ],
  [
    "an answer to a question that is gone is dropped",
    "No. The client has no `close` method",
    "No. The client has no `close` method.",
    "The client has no `close` method",
  ],
  ["a title without a sentence stays", "Deploys only from tags", "Something else.", "Deploys only from tags"],
])("%s", (_name, title, narrative, row) => {
  expect(makeRowText({ title, narrative })).toBe(row);
});
