import { expect, test } from "vitest";
import { makeQuestionTitle } from "./question-title.ts";
import type { Scored } from "./scorer.ts";
import { readSentences } from "./sentences.ts";

function titleOf(prompt: string, final: string, best = 0): string | undefined {
  const message = readSentences(final) as unknown as Scored[];
  const record = { prompt, isMachine: false, steps: [], final, outcome: "completed" as const };
  return makeQuestionTitle(record, message, message[best] as Scored);
}

test.each([
  [
    "why are invoices of March rounded down?",
    "The March invoices use the old tax table. It has whole percents only.",
    "Why are invoices of March rounded down? → The March invoices use the old tax table",
  ],
  [
    "ok. can you explain where the cron jobs are defined?",
    "They are defined in `deploy/cron.yaml`, where each of the jobs has an owner.",
    "Where the cron jobs are defined? → They are defined in `deploy/cron.yaml`, where each of the jobs has an owner",
  ],
  [
    "Does the importer skip empty rows?",
    "No — the importer stops at the first of the empty rows.",
    "Does the importer skip empty rows? → No — the importer stops at the first of the empty rows",
  ],
])("the question names the subject of its answer: %j", (prompt, final, title) => {
  expect(titleOf(prompt, final)).toBe(title);
});

test("the verdict stays with an answer from further down", () => {
  expect(
    titleOf("Does the importer skip empty rows?", "No. The importer stops at the first empty row.", 1),
  ).toBe("Does the importer skip empty rows? → No: The importer stops at the first empty row");
});

test.each([
  ["a question about something said before", "why is that slower than the other one?"],
  ["a request", "can you fix the importer for empty rows?"],
  ["a question of the moment", "is the branch with the importer pushed?"],
  ["no question", "the importer stops at empty rows"],
  ["a question that the message does not answer", "how do we charge for storage in Norway?"],
])("no title of %s", (_name, prompt) => {
  expect(titleOf(prompt, "The importer stops at the first of the empty rows.")).toBeUndefined();
});
