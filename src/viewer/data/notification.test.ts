import { describe, expect, test } from "vitest";
import type { QuestionView } from "../../protocol/ask.ts";
import { makeNotice } from "./notification.ts";

const option = (label: string) => ({ label, description: null });
const prompt = {
  text: "Which?",
  header: null,
  options: [option("Redis"), option("Postgres")],
  isMulti: false,
};
const choice = {
  ...{ kind: "choice", title: "Which?", agent: "api-jay", project: "api", prompts: [prompt], subject: null },
  ...{ danger: null, claimedBy: null },
} as unknown as QuestionView;
const subject = { toolName: "Bash", format: "command", text: "npm test", hiddenSecrets: 0 };
const permission = {
  ...choice,
  kind: "permission",
  title: "Run npm test",
  prompts: [],
  subject,
} as QuestionView;
const titles = (question: QuestionView, canAnswer = true): string[] =>
  makeNotice(question, canAnswer).buttons.map(({ title }) => title);

test("a question shows who asks, and its options as buttons that give exactly them", () => {
  const { title, body, buttons } = makeNotice(choice, true);
  expect([title, body]).toEqual(["Which?", "api-jay (api)"]);
  expect(buttons.map(({ answer }) => answer)).toEqual([
    { answers: [["Redis"]] },
    { answers: [["Postgres"]] },
  ]);
});

test("a harmless command is shown whole, and can be allowed or denied", () => {
  expect(makeNotice(permission, true).body).toBe("api-jay (api)\nnpm test");
  expect(titles(permission)).toEqual(["Allow once", "Deny"]);
});

describe("no buttons", () => {
  test("in a tab that may not decide", () => {
    expect(titles(choice, false)).toEqual([]);
    expect(titles(permission, false)).toEqual([]);
  });

  test.each<[string, Partial<QuestionView>]>([
    ["a dangerous command", { danger: "deletes files" }],
    ["a file that another agent has claimed", { claimedBy: "api-rook" }],
    ["a long command", { subject: { ...subject, text: `echo ${"a".repeat(200)}` } }],
    ["a command of two lines", { subject: { ...subject, text: "a\nb" } }],
    ["a hidden secret", { subject: { ...subject, hiddenSecrets: 1 } }],
    ["an invisible character", { subject: { ...subject, text: "npm \u202Etset" } }],
    ["an edit", { subject: { ...subject, format: "diff" } }],
    ["a plan", { kind: "plan" }],
  ])("for %s", (_what, changes) => {
    expect(titles({ ...permission, ...changes })).toEqual([]);
  });

  test.each<[string, Partial<QuestionView>]>([
    ["three options", { prompts: [{ ...prompt, options: ["a", "b", "c"].map(option) }] }],
    ["several choices", { prompts: [{ ...prompt, isMulti: true }] }],
    ["two prompts", { prompts: [prompt, prompt] }],
    ["a long option", { prompts: [{ ...prompt, options: [option("x".repeat(60))] }] }],
  ])("for %s", (_what, changes) => {
    expect(titles({ ...choice, ...changes })).toEqual([]);
  });
});
