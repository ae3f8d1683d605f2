import type { ToolKind } from "../../protocol/agent-events.ts";
import { makeFieldTools, readChange } from "../field-tools.ts";
import { asFields, asText, textOf } from "../fields.ts";

const kinds: Readonly<Record<string, ToolKind>> = {
  read: "read",
  edit: "edit",
  write: "edit",
  apply_patch: "edit",
  bash: "run",
  question: "ask",
  plan_exit: "plan",
  task: "delegate",
  glob: "search",
  grep: "search",
  list: "search",
  lsp: "search",
  webfetch: "web",
  websearch: "web",
  todowrite: "housekeeping",
  todoread: "housekeeping",
  skill: "housekeeping",
};

export const tools = makeFieldTools({
  kinds,
  fileFields: ["filePath"],
  pathFields: ["path"],
  targetFields: ["command", "pattern", "url", "query", "description", "prompt"],
  changeFields: ["oldString", "newString", "content"],
  outputOf(response) {
    if (typeof response === "string") return response;
    const { output, content } = asFields(response) ?? {};
    return asText(output) ?? textOf(content);
  },
  changesOf: (tool, input) =>
    tool === "write"
      ? readChange(null, input["content"])
      : readChange(input["oldString"], input["newString"]),
});

export const { kindOf } = tools;
