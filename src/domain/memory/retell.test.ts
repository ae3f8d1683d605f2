import { expect, test } from "vitest";
import { type ComparedNote, isRetelling, readDoubt, explainWithdrawal } from "./retell.ts";

const gotcha = (title: string): ComparedNote => ({ type: "gotcha", title, narrative: title });

test.each([
  [
    "other words around the same statement",
    "Jobs were lost because `worker.ts` acknowledges them in Redis before they are done",
    "Lost jobs: `worker.ts` acknowledges in Redis before the jobs are done",
    true,
  ],
  [
    "another product",
    "Jobs were lost because `worker.ts` acknowledges them in Redis before they are done",
    "Jobs were lost because `worker.ts` acknowledges them in Postgres before they are done",
    false,
  ],
  [
    "a product that only one of them names",
    "Jobs were lost because `worker.ts` acknowledges them before they are done",
    "Jobs were lost because `worker.ts` acknowledges them in Redis before they are done",
    true,
  ],
])("a retelling has the same subject: %s", (_name, older, newer, expected) => {
  expect(isRetelling(gotcha(newer), gotcha(older))).toBe(expected);
});

test.each([
  ["no, that is the staging host", "contradicted"],
  ["and are you sure about the lock file?", "contradicted"],
  ["your whole flow is wrong, the client sends the token", "contradicted"],
  ["the upload is still failing in CI", "failed"],
  ["same error as before", "failed"],
  ["hmm, what about Windows?", "doubted"],
  ["now add a test", "none"],
])("the prompt %j means: %s", (prompt, doubt) => {
  expect(readDoubt(prompt)).toBe(doubt);
});

const cause = "The token is rejected because `auth.ts` sends it before the login ends";
const other = "`auth.ts` reads the token of the wrong tenant";

test.each([
  ["a cause that the user contradicted", "problem-solution", "contradicted", true],
  ["a finding that the user contradicted", "discovery", "contradicted", true],
  ["a cause whose fix did not help", "problem-solution", "failed", true],
  ["a finding, when the fix did not help", "discovery", "failed", false],
  ["a fix that is in the code", "bugfix", "failed", false],
  ["a finding that the user only asked about", "discovery", "doubted", false],
  ["a decision", "decision", "contradicted", false],
] as const)("a new cause withdraws %s: %s, %s → %s", (_name, type, doubt, isWithdrawn) => {
  const newer: ComparedNote = { type: "bugfix", title: other, narrative: other };
  expect(explainWithdrawal(newer, { type, title: cause, narrative: cause }, doubt) !== undefined).toBe(
    isWithdrawn,
  );
});

test("a contradicted finding about something else stays", () => {
  const newer: ComparedNote = { type: "bugfix", title: "The build cache is never cleared", narrative: "" };
  expect(
    explainWithdrawal(newer, { type: "discovery", title: cause, narrative: cause }, "contradicted"),
  ).toBeUndefined();
});
