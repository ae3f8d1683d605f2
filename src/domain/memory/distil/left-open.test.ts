import { expect, test } from "vitest";
import { openScorer } from "../../../store/open-scorer.ts";
import type { TurnRecord } from "../turn-record.ts";
import { findOpenEnds } from "./left-open.ts";

const scorer = openScorer();

function openEnds(final: string, prompt = "Read the new format, too"): string[] {
  const turn: TurnRecord = { prompt, isMachine: false, steps: [], final, outcome: "completed" };
  return findOpenEnds(turn, scorer(turn, ""));
}

test.each([
  "I have not written the migration for old rows",
  "Not done yet: the triggers that keep the index in step",
  "Remember to rename the variable in the host's settings as well",
  "Parser errors (not fixed): a quote inside a quoted cell ends the row",
  "The two style findings are left as-is",
  "The retry on a full queue wasn't exercised against a real broker",
  "Sharing with groups needs a design decision",
  "You'll need to create the bucket before the first deploy",
  "The old endpoint is deferred to the next release",
  "Phase 3 is next: the importer",
  "Publishing to the store needs your approval",
  "Die Migration ist noch nicht geschrieben",
  "La prueba de carga está pendiente",
])("unfinished work: %s", (sentence) => {
  expect(openEnds(`The importer reads both formats. ${sentence}.`)).toEqual([sentence]);
});

test.each([
  "The debounce only applies when the fields haven't changed.",
  "Want me to add the missing test?",
  "The remaining files are untracked and not committed.",
  "No open threads are left.",
  "All review comments are addressed, nothing remains.",
  "Added the missing test for the retry limit.",
  "If you want, the cache could be added later.",
  'The docs said "streaming is deferred to version 2".',
  "Still waiting for the build.",
  "The rest is fine as it is; the lint rule is not needed.",
  "I suggest leaving Windows as a separate decision.",
])("not unfinished work: %s", (sentence) => {
  expect(openEnds(`The importer reads both formats. ${sentence}`)).toEqual([]);
});

test("an offer after the statement is cut off", () => {
  expect(openEnds("Two threads are still unanswered — want me to reply?")).toEqual([
    "Two threads are still unanswered",
  ]);
});

test("the list under a heading of unfinished work counts, a list of changes does not", () => {
  const final = `## What changed
- \`read.ts\` handles both formats

## Loose ends
- Windows paths with a drive letter
- The progress bar for large files

Say the word if you want them.`;
  expect(openEnds(final)).toEqual(["Windows paths with a drive letter", "The progress bar for large files"]);
});

test("a statement without a subject gets its heading or the statement before it", () => {
  expect(openEnds("### Nightly export\n\nThat is deferred until the queue exists.")).toEqual([
    "Nightly export: That is deferred until the queue exists",
  ]);
  expect(openEnds("The importer reads both formats. It isn't scheduled yet.")).toEqual([
    "The importer reads both formats. It isn't scheduled yet",
  ]);
});

test.each([
  ["add a todo for the updater of the desktop app", "Done.", "To do: the updater of the desktop app"],
  [
    "log an issue for this please",
    "Filed: [APP-12](https://tracker.example/issue/APP-12/tabs-lose-their-scroll-position)",
    "To do: tabs lose their scroll position",
  ],
  ["/add-todo rate limits per tenant", "Saved.", "To do: rate limits per tenant"],
  [
    "create a ticket for it",
    "The ticket describes the lost update: two tabs write the same draft.",
    "To do: the lost update: two tabs write the same draft.",
  ],
])("a to-do that the user had written down: %s", (prompt, final, openEnd) => {
  expect(openEnds(final, prompt)).toEqual([openEnd]);
});

test("a prompt about an existing issue records nothing", () => {
  expect(openEnds("The issue was a stale cache.", "why does issue 12 happen?")).toEqual([]);
});
