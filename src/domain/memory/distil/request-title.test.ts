import { expect, test } from "vitest";
import { makeRequestTitle } from "./request-title.ts";

const titleOf = (prompt: string): string | undefined =>
  makeRequestTitle({ prompt, isMachine: false, steps: [], final: "", outcome: "completed" });

test.each([
  ["ok, hide the export button for read-only accounts.", "Hide the export button for read-only accounts"],
  ["Let's also cache avatar images for one hour", "Cache avatar images for one hour"],
  ["do not retry declined payments in the nightly job", "Do not retry declined payments in the nightly job"],
  ["Reject uploads above 20 MB. They fill the disk.", "Reject uploads above 20 MB"],
])("an instruction that names its subject: %j", (prompt, title) => {
  expect(titleOf(prompt)).toBe(title);
});

test.each([
  "fix it",
  "can you please hide the export button for read-only accounts?",
  "change that back to the way of before please",
  "commit the retry logic and open a pull request",
  "add the two things from the review comments",
  "why does the export fail for large accounts",
  "remove https://example.org/x from the list of hosts",
])("no title: %j", (prompt) => {
  expect(titleOf(prompt)).toBeUndefined();
});
