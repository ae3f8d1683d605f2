import type { ToolKind } from "../../protocol/agent-events.ts";
import { makeFieldTools, readChange } from "../field-tools.ts";
import { asFields, asFieldsList, asText } from "../fields.ts";

const kinds: Readonly<Record<string, ToolKind>> = {
  read_file: "read",
  read_many_files: "read",
  edit: "edit",
  replace: "edit",
  write_file: "edit",
  run_shell_command: "run",
  ask_user_question: "ask",
  exit_plan_mode: "plan",
  agent: "delegate",
  task: "delegate",
  glob: "search",
  grep_search: "search",
  list_directory: "search",
  web_fetch: "web",
  web_search: "web",
  todo_write: "housekeeping",
  save_memory: "housekeeping",
  skill: "housekeeping",
  tool_search: "housekeeping",
};

export const tools = makeFieldTools({
  kinds,
  fileFields: ["file_path", "absolute_path"],
  pathFields: ["path"],
  targetFields: ["command", "plan", "pattern", "url", "query", "description", "prompt"],
  changeFields: ["old_string", "new_string", "content"],
  outputOf,
  changesOf: (tool, input) =>
    tool === "write_file"
      ? readChange(null, input["content"])
      : readChange(input["old_string"], input["new_string"]),
});

export const { kindOf } = tools;

/** The text for the model: a string, or a list of parts. */
function outputOf(response: unknown): string {
  if (typeof response === "string") return response;
  const { llmContent: content, output, error } = asFields(response) ?? {};
  const texts = asFieldsList(content).flatMap(({ text }) => asText(text) ?? []);
  return [content, output, error].map(asText).find((text) => text !== undefined) ?? texts.join("\n");
}
