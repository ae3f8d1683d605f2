import { describe, expect, test } from "vitest";
import type { QuestionKind } from "../../domain/ask/question.ts";
import { readRequest } from "../../domain/ask/read-request.ts";
import { replies } from "./replies.ts";
import { requests } from "./requests.ts";

const input = {
  message: "How shall it run?",
  requestedSchema: {
    type: "object",
    properties: {
      db: { type: "string", title: "Database", enum: ["Postgres", "SQLite"] },
      parts: { type: "array", title: "Parts", items: { type: "string", enum: ["api", "web"] } },
      size: { type: "string", oneOf: [{ const: "s", title: "Small" }, { const: "l" }] },
      sure: { type: "boolean", title: "Sure?" },
      count: { type: "integer" },
      why: { type: "string", description: "Why?" },
    },
  },
};
const asked = readRequest("ask_user", input, requests.describe);
const question = { kind: "choice" as QuestionKind, prompts: asked?.prompts ?? [], sessionRule: null, input };
const decide = (...answers: string[][]): unknown =>
  JSON.parse(replies.formatDecision(question, { type: "answers", answers }) ?? "null");

describe("a form of Copilot", () => {
  test("is shown as questions with their options", () => {
    expect(
      asked?.prompts.map(({ text, options, isMulti }) => [text, options.map(({ label }) => label), isMulti]),
    ).toEqual([
      ["How shall it run? (Database)", ["Postgres", "SQLite"], false],
      ["How shall it run? (Parts)", ["api", "web"], true],
      ["How shall it run? (size)", ["Small", "l"], false],
      ["How shall it run? (Sure?)", ["Yes", "No"], false],
      ["How shall it run? (count)", [], false],
      ["How shall it run? (Why?)", [], false],
    ]);
  });

  test("is filled with values of its types", () => {
    expect(decide(["SQLite"], ["api", "web"], ["Small"], ["Yes"], ["3"], ["it is small"])).toMatchObject({
      behavior: "allow",
      answers: [
        { key: "db", value: "SQLite" },
        { key: "parts", value: ["api", "web"] },
        { key: "size", value: "s" },
        { key: "sure", value: true },
        { key: "count", value: 3 },
        { key: "why", value: "it is small" },
      ],
    });
  });

  test("stays open if a value is of another type or missing", () => {
    const rest = [["SQLite"], ["api"], ["Small"]];
    expect(decide(...rest, ["perhaps"], ["3"], ["x"])).toBeNull();
    expect(decide(...rest, ["No"], ["three"], ["x"])).toBeNull();
    expect(decide(...rest, ["No"], ["3"], [])).toBeNull();
    expect(decide(["SQLite"])).toBeNull();
  });

  test("its answers are read from the text of its result", () => {
    const text = "User responded: db=SQLite, parts=api, web, sure=true, why=a, b=c";
    const answers = requests.readAnswers(input, { textResultForLlm: text });
    expect(answers.map(({ answer }) => answer)).toEqual(["SQLite", "api, web", null, "Yes", null, "a, b=c"]);
    const declined = requests.readAnswers(input, { textResultForLlm: "The user declined." });
    expect(declined.every(({ answer }) => answer === null)).toBe(true);
  });

  test("a question without a form, as earlier versions ask it, is shown with its choices", () => {
    const plain = { question: "Which DB?", choices: ["Postgres", "SQLite"] };
    expect(readRequest("ask_user", plain, requests.describe)?.prompts).toMatchObject([
      { text: "Which DB?", options: [{ label: "Postgres" }, { label: "SQLite" }] },
    ]);
    expect(requests.readAnswers(plain, { textResultForLlm: "SQLite" })).toMatchObject([{ answer: "SQLite" }]);
  });
});
