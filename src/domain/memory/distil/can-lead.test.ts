import { expect, test } from "vitest";
import { canOpen, canTitle } from "./can-lead.ts";

test.each([
  "The plan correctly identifies the race in `queue.ts` and covers both callers.",
  "The tunnel to `staging.example.com` with the new certificate works perfectly.",
  "Splitting `RowId` from its store into a package is a good design choice.",
  "Since the rule does not fire with `lint.json` here, there's nothing to fix.",
  "The document now presents `stream` and `serve` as one feature.",
  "B) Store the summaries in a separate `summary.json` beside the metadata.",
  "At commit time (Recommended): write the summary when `commit` runs.",
  "The gap is only in `queue.ts`, where two callers share a slot.",
  "The block that we just added to `queue.ts` has 140 lines.",
  "I verified with `queue --dry-run` that the folder is ignored now.",
  "The agent found two things in `queue.ts` that are worth keeping.",
  "Since my `1a2b3c4d` fix the stack of `colors.ts` is reset for every block.",
])("a statement that only praises, reports or offers is no title: %s", (text) => {
  expect(canTitle({ place: "paragraph", text })).toBe(false);
  expect(canOpen({ place: "paragraph", text })).toBe(false);
});

test.each([
  "The tunnel to `staging.example.com` works only with the new certificate.",
  "Splitting `RowId` from its store is the right fix because both sides import it.",
  "The document store `notes.db` keeps one row per revision.",
])("a statement that says how things are is one: %s", (text) => {
  expect(canTitle({ place: "paragraph", text })).toBe(true);
});
