import { expect, test } from "vitest";
import { claudeCode } from "../../hosts/claude-code/claude-code.ts";
import { toSteps } from "./tool-steps.ts";

const stepsOf = (tool: string, answers: Parameters<typeof toSteps>[0]["answers"] = []) =>
  toSteps({
    ...{ eventId: "e", tool, toolKind: claudeCode.tools.kindOf(tool), file: undefined, target: "" },
    ...{ input: {}, output: "ok", failed: false, changes: [], answers },
  });

test.each([
  "TodoWrite",
  "ListMcpResourcesTool",
  "ReadMcpResourceTool",
  "SlashCommand",
  "Skill",
  "mcp__plugin_rookery_rookery__memory_search",
])("memory skips the tool %s", (tool) => {
  expect(stepsOf(tool)).toEqual([]);
  expect(stepsOf("Bash")).toMatchObject([{ kind: "tool", tool: "Bash" }]);
});

test("a question to the person is remembered by its answer only", () => {
  const options = ["Redis", "SQLite"];
  expect(
    stepsOf("AskUserQuestion", [
      { question: "Which?", answer: "SQLite", options },
      { question: "And why?", answer: null, options: [] },
    ]),
  ).toEqual([{ kind: "answer", question: "Which?", answer: "SQLite", options, eventId: "e" }]);
});
