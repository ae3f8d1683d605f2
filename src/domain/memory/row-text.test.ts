import { expect, test } from "vitest";
import { makeRowText, shortenRow } from "./row-text.ts";

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

test.each([
  [
    "a text that fits stays as it is",
    "The `walk` helper follows the first parent",
    60,
    "The `walk` helper follows the first parent",
  ],
  [
    "articles and code marks go first",
    "The `walk` helper only follows the first parent of a merge, never the second one",
    70,
    "walk helper only follows first parent of merge, never second one",
  ],
  [
    "a choice loses its rejected options",
    "Which queue? → PostgreSQL (not: Redis, SQS)",
    30,
    "Which queue? → PostgreSQL",
  ],
  [
    "a choice keeps its answer",
    "Which database should the new billing service of the warehouse use? → PostgreSQL",
    50,
    "Which database should new billing… → PostgreSQL",
  ],
])("%s", (_name, text, limit, short) => {
  expect(shortenRow(text, limit)).toBe(short);
});
