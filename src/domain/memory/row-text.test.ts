import { expect, test } from "vitest";
import { formatNote, makeRowText, shortenRow } from "./row-text.ts";

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
  [
    "a choice gets its whole question and answer",
    "Should the importer wait for the lock (not more than… → Wait",
    "Asked: Two ways. Should the importer wait for the lock (not more than a minute), or skip the file? The user answered: Wait (Recommended).",
    "Should the importer wait for the lock (not more than a minute), or skip the file? → Wait",
  ],
  [
    "a choice by letter gets the option",
    "Next question: Where do drafts live? → In the…",
    "Asked: Next question: Where do drafts live? The agent proposed: B) In the database, next to the orders. The user answered: b.",
    "Where do drafts live? → In the database, next to the orders",
  ],
  [
    "a question in return gets what the agent confirmed",
    "How strict should the check be? → Block above ten…",
    "Asked: How strict should the check be? The user answered: could it warn for the small ones? The agent confirmed: Block above ten, warn below. That keeps it quiet.",
    "How strict should the check be? → Block above ten, warn below",
  ],
  [
    "a decision that the title names is not repeated with its preamble",
    "How strict should the check be? → A `size → level` table",
    "Asked: How strict should the check be? The user answered: could it warn for the small ones? The agent confirmed: Yes, a good idea: A `size → level` table.",
    "How strict should the check be? → A `size → level` table",
  ],
  [
    "a part of a long answer shows that there is more",
    "Who may share a folder again? → Readers can look at it",
    "Asked: Who may share a folder again? The user answered: Readers can only look at it. Writers may share it again, but not with the public link, and the owner gets a mail each time.",
    "Who may share a folder again? → Readers can only look at it…",
  ],
  [
    '"both" names the options',
    "Where is the Archive button? → Both: Toolbar, Row menu",
    "Asked: Where is the Archive button? The user answered: Both.",
    "Where is the Archive button? → Both: Toolbar, Row menu",
  ],
  ["the scope of a commit", "ci: cache modules", "Nothing else.", "ci: cache modules"],
  [
    "another person's answer",
    "Which region? → Frankfurt",
    "Asked: Which region should the bucket be in? Dana Ruiz answered: Frankfurt.",
    "Which region should the bucket be in? → Frankfurt",
  ],
  [
    "a condition without its consequence is dropped",
    "In the desktop build the origin is `app://shop` — if that origin…",
    "In the desktop build the origin of the page is `app://shop` — if that origin is missing in the settings of the login provider for the staging client, the window that the helper opened closes itself silently and the customer gets a blank page whose console stays empty.",
    "In the desktop build the origin of the page is `app://shop`",
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

test.each([
  ["Toolbar", "Row menu, Both", "Where is the Archive button? → Toolbar (not: Row menu, Both)"],
  [
    "Both: Toolbar, Row menu",
    "Toolbar only, Row menu only",
    "Where is the Archive button? → Both: Toolbar, Row menu",
  ],
])("rejected options are listed unless all were chosen: %s", (answer, rejected, expected) => {
  const narrative = `Asked: Where is the Archive button? The user answered: ${answer.replace(/:.*/, "")}.`;
  const title = `Where is the Archive button? → ${answer}`;
  expect(formatNote({ title, narrative, facts: [`Not chosen: ${rejected}`] })).toBe(expected);
});
