import { describe, expect, it } from "vitest";
import { checkAnswer } from "../../domain/ask/check-answer.ts";
import type { Answer, Prompt } from "../../domain/ask/question.ts";
import { readRequest } from "../../domain/ask/read-request.ts";
import type { DecidedQuestion } from "../host.ts";
import { decide } from "./replies.ts";
import { replies } from "./replies.ts";
import { requests } from "./requests.ts";
import { makeSessionRule } from "./session-rule.ts";

const database = {
  question: "Which DB?",
  header: "DB",
  options: [{ label: "Postgres" }, { label: "SQLite" }],
  multiSelect: false,
};
const extras = { question: "Which extras?", options: [{ label: "A" }, { label: "B, C" }], multiSelect: true };

function asked(toolName: string, input: Record<string, unknown>): DecidedQuestion {
  const request = readRequest(toolName, input, requests.describe);
  if (!request) throw new Error("nothing is asked");
  const sessionRule = request.kind === "permission" ? makeSessionRule(toolName, input) : null;
  return { kind: request.kind, prompts: request.prompts, sessionRule, input };
}

const answers = (...given: string[][]): Answer => ({ type: "answers", answers: given });
const once: Answer = { type: "allow", scope: "once" };
const session: Answer = { type: "allow", scope: "session" };
const deny = (reason: string): Answer => ({ type: "deny", reason });

describe("an answer in the host's format", () => {
  it.each<[string, DecidedQuestion, Answer, unknown]>([
    [
      "a choice comes with the same questions",
      asked("AskUserQuestion", { questions: [database] }),
      answers(["SQLite"]),
      { behavior: "allow", updatedInput: { questions: [database], answers: { "Which DB?": "SQLite" } } },
    ],
    [
      "several questions and several choices",
      asked("AskUserQuestion", { questions: [database, extras], metadata: { source: "x" } }),
      answers(["my own words"], ["A", "B, C"]),
      {
        behavior: "allow",
        updatedInput: {
          questions: [database, extras],
          metadata: { source: "x" },
          answers: { "Which DB?": "my own words", "Which extras?": "A, B, C" },
        },
      },
    ],
    ["allowed once", asked("Bash", { command: "mkdir x" }), once, { behavior: "allow" }],
    [
      "allowed for the session, by our own rule",
      asked("Bash", { command: "mkdir x" }),
      session,
      {
        behavior: "allow",
        updatedPermissions: [
          {
            type: "addRules",
            rules: [{ toolName: "Bash", ruleContent: "mkdir x" }],
            behavior: "allow",
            destination: "session",
          },
        ],
      },
    ],
    [
      "a tool of an MCP server for the session",
      asked("mcp__db__query", {}),
      session,
      {
        behavior: "allow",
        updatedPermissions: [
          {
            type: "addRules",
            rules: [{ toolName: "mcp__db__query" }],
            behavior: "allow",
            destination: "session",
          },
        ],
      },
    ],
    [
      "denied with a reason",
      asked("Bash", { command: "rm -rf x" }),
      deny(" use git clean "),
      { behavior: "deny", message: "use git clean" },
    ],
    [
      "denied without one",
      asked("Bash", { command: "rm -rf x" }),
      deny(""),
      { behavior: "deny", message: "The user does not allow this." },
    ],
    [
      "a plan comes back with the plan",
      asked("ExitPlanMode", { plan: "# Plan" }),
      once,
      { behavior: "allow", updatedInput: { plan: "# Plan" } },
    ],
    [
      "a plan denied",
      asked("ExitPlanMode", { plan: "# Plan" }),
      deny("smaller"),
      { behavior: "deny", message: "smaller" },
    ],
    [
      "a choice declined with a reason",
      asked("AskUserQuestion", { questions: [database] }),
      deny("ask me later"),
      { behavior: "deny", message: "ask me later" },
    ],
  ])("%s", (_, question, answer, expected) => {
    expect(checkAnswer(question, answer)).toMatchObject({ fits: true });
    expect(decide(question, answer)).toEqual(expected);
  });

  it.each<[string, DecidedQuestion, Answer]>([
    ["a text for a permission", asked("Bash", { command: "ls" }), answers(["yes"])],
    ["a text for a plan", asked("ExitPlanMode", { plan: "p" }), answers(["yes"])],
    ["an allow for a choice", asked("AskUserQuestion", { questions: [database] }), once],
    ["an empty answer", asked("AskUserQuestion", { questions: [database] }), answers([" "])],
    ["no answer", asked("AskUserQuestion", { questions: [database] }), answers([])],
    ["one answer too few", asked("AskUserQuestion", { questions: [database, extras] }), answers(["SQLite"])],
    [
      "two answers where one is taken",
      asked("AskUserQuestion", { questions: [database] }),
      answers(["a", "b"]),
    ],
    ["a session where there is no narrow rule", asked("Bash", { command: "ls && id" }), session],
    ["a plan for the session", asked("ExitPlanMode", { plan: "p" }), session],
  ])("%s does not fit", (_, question, answer) => {
    expect(checkAnswer(question, answer)).toMatchObject({ fits: false });
  });

  it("returns the host's original label for the one that was shown", () => {
    const label = "use\u200B key=ghp_0123456789abcdefghijABCDEFGHIJ0123456789";
    const input = { questions: [{ question: "Key?", options: [{ label }] }] };
    const question = asked("AskUserQuestion", input);
    const shown = (question.prompts[0] as Prompt).options[0]?.label ?? "";
    expect(shown).not.toContain("ghp_");
    expect(decide(question, answers([shown]))?.updatedInput).toMatchObject({ answers: { "Key?": label } });
  });

  it("is printed in the format of the hook", () => {
    expect(JSON.parse(replies.formatDecision(asked("Bash", { command: "ls" }), once) ?? "")).toEqual({
      hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } },
    });
  });
});
