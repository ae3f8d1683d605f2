import type { ToolKind } from "../../protocol/agent-events.ts";
import { makeFieldTools, readChange } from "../field-tools.ts";
import { asFields, asText } from "../fields.ts";

const kinds: Readonly<Record<string, ToolKind>> = {
  view: "read",
  create: "edit",
  edit: "edit",
  str_replace_editor: "edit",
  bash: "run",
  read_bash: "run",
  write_bash: "run",
  stop_bash: "run",
  ask_user: "ask",
  exit_plan_mode: "plan",
  task: "delegate",
  glob: "search",
  grep: "search",
  rg: "search",
  web_fetch: "web",
  web_search: "web",
  report_intent: "housekeeping",
  update_todo: "housekeeping",
  store_memory: "housekeeping",
  skill: "housekeeping",
};

export const tools = makeFieldTools({
  kinds,
  fileFields: ["file_path", "path"],
  pathFields: [],
  targetFields: ["command", "pattern", "url", "query", "question", "description", "prompt"],
  changeFields: ["old_str", "new_str", "file_text"],
  outputOf(response) {
    if (typeof response === "string") return response;
    const { textResultForLlm: text, content } = asFields(response) ?? {};
    return asText(text) ?? asText(content) ?? "";
  },
  changesOf: (tool, input) =>
    tool === "create" ? readChange("", input["file_text"]) : readChange(input["old_str"], input["new_str"]),
});

export const { kindOf } = tools;
