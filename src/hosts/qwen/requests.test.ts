import { expect, test } from "vitest";
import { requests } from "./requests.ts";

test("answers are read from the text of the result, by the header of their question", () => {
  const questions = [
    { question: "Which database?", header: "DB", options: [{ label: "Postgres" }, { label: "SQLite" }] },
    { question: "Where?", options: [] },
    { question: "Why?", header: "Why", options: [] },
  ];
  const llmContent =
    "User has provided the following answers:\n\n**DB**: SQLite\n**Why**: it is small\nand fast";
  const answers = requests.readAnswers({ questions }, { llmContent, returnDisplay: llmContent });
  expect(answers.map(({ question, answer }) => [question, answer])).toEqual([
    ["Which database?", "SQLite"],
    ["Where?", null],
    ["Why?", "it is small\nand fast"],
  ]);
});
