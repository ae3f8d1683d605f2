import { describe, expect, test } from "vitest";
import type { AgentEvent, ToolKind } from "../../protocol/agent-events.ts";
import { judgeState } from "./session-state.ts";
import { claudeCode } from "../../hosts/claude-code/claude-code.ts";
import { flattenToLine } from "./to-line.ts";

describe("the target of a tool call", () => {
  test.each<[string, unknown, string]>([
    ["a file before anything else", { file_path: "/a/b.ts", description: "x" }, "/a/b.ts"],
    ["a command in one line", { command: "npm  test\n--watch" }, "npm test --watch"],
    ["what was looked for", { pattern: "TODO", path: "/a" }, "TODO"],
    ["what the human was asked", { questions: [{ question: "Which one?" }] }, "Which one?"],
    ["nothing that can be told", { todos: [] }, ""],
    ["no input at all", null, ""],
    ["a field of another type", { file_path: 7, command: "ls" }, "ls"],
  ])("%s", (_name, input, about) => {
    expect(flattenToLine(claudeCode.tools.readCall("T", input).target)).toBe(about);
  });

  test("a line never splits a character in two", () => {
    expect(flattenToLine("🐦".repeat(200), 10)).toBe(`${"🐦".repeat(4)}…`);
  });
});

test.each<[string, boolean, boolean, AgentEvent | undefined, ToolKind | null]>([
  ["working", true, false, "prompt", null],
  ["working", true, false, "tool.before", "run"],
  ["idle", false, false, "turn.ended", null],
  ["idle", false, false, "session.idle", null],
  ["idle", false, false, undefined, null],
  ["waiting", true, false, "permission", "run"],
  ["waiting", true, false, "tool.before", "ask"],
  ["waiting", true, false, "tool.before", "plan"],
  ["working", true, false, "tool.after", "ask"],
  ["waiting", true, false, "input.needed", null],
  ["waiting", true, false, "dialog.opened", null],
  ["waiting", false, true, "turn.ended", null],
])("a session is %s (open turn: %s, open question: %s, newest event: %s, %s)", (state, ...facts) => {
  const [hasOpenTurn, hasOpenQuestion, event, toolKind] = facts;
  const newest = event && { event, toolKind };
  expect(judgeState({ hasOpenTurn, hasOpenQuestion, newest })).toBe(state);
});
