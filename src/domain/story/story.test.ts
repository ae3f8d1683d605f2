import { describe, expect, test } from "vitest";
import { judgeState } from "./session-state.ts";
import { fileOfTool, tellToolAbout, toLine } from "./tool-about.ts";

describe("what a tool was used on", () => {
  test.each<[string, unknown, string]>([
    ["a file before anything else", { file_path: "/a/b.ts", description: "x" }, "/a/b.ts"],
    ["a command in one line", { command: "npm  test\n--watch" }, "npm test --watch"],
    ["what was looked for", { pattern: "TODO", path: "/a" }, "TODO"],
    ["what the human was asked", { questions: [{ question: "Which one?" }] }, "Which one?"],
    ["nothing that can be told", { todos: [] }, ""],
    ["no input at all", null, ""],
    ["a field of another type", { file_path: 7, command: "ls" }, "ls"],
  ])("%s", (_name, input, about) => {
    expect(tellToolAbout(input)).toBe(about);
  });

  test("a line never splits a character in two", () => {
    expect(toLine("🐦".repeat(200), 10)).toBe(`${"🐦".repeat(4)}…`);
  });

  test("only reading and editing touch files", () => {
    expect(fileOfTool("Read", { file_path: "/a" })).toEqual({ path: "/a", isEdit: false });
    expect(fileOfTool("NotebookEdit", { notebook_path: "/n" })).toEqual({ path: "/n", isEdit: true });
    expect(fileOfTool("Grep", { file_path: "/a" })).toBeUndefined();
    expect(fileOfTool("Edit", undefined)).toBeUndefined();
  });
});

test.each<[string, boolean, string | null, string | null, string]>([
  ["UserPromptSubmit", true, null, null, "working"],
  ["Stop", false, null, null, "idle"],
  ["PermissionRequest", true, "Bash", null, "waiting"],
  ["PreToolUse", true, "AskUserQuestion", null, "waiting"],
  ["PreToolUse", true, "Bash", null, "working"],
  ["Notification", true, null, "permission_prompt", "waiting"],
  ["Notification", false, null, "idle_prompt", "idle"],
])("after %s (open turn: %s, %s, %s) a session is %s", (event, isOpen, tool, notification, state) => {
  expect(judgeState(isOpen, { event, tool, notification })).toBe(state);
});
