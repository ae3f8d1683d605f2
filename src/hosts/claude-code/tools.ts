import type { ToolKind } from "../../protocol/agent-events.ts";
import { makeFieldTools, readChange } from "../field-tools.ts";
import type { HostTools } from "../host.ts";
import { asFields, asFieldsList, asText, type Fields } from "../fields.ts";
import type { Change } from "../../domain/capture/payload-rules.ts";

const kinds: Readonly<Record<string, ToolKind>> = {
  Read: "read",
  NotebookRead: "read",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
  Bash: "run",
  BashOutput: "run",
  KillShell: "run",
  AskUserQuestion: "ask",
  ExitPlanMode: "plan",
  Agent: "delegate",
  Task: "delegate",
  Glob: "search",
  Grep: "search",
  LS: "search",
  WebFetch: "web",
  WebSearch: "web",
  TodoWrite: "housekeeping",
  ListMcpResources: "housekeeping",
  ListMcpResourcesTool: "housekeeping",
  ReadMcpResource: "housekeeping",
  ReadMcpResourceTool: "housekeeping",
  ReadMcpResourceDirTool: "housekeeping",
  SlashCommand: "housekeeping",
  Skill: "housekeeping",
  ToolSearch: "housekeeping",
  TaskList: "housekeeping",
  TaskCreate: "housekeeping",
  TaskUpdate: "housekeeping",
};

export const tools: HostTools = makeFieldTools({
  kinds,
  fileFields: ["file_path", "notebook_path"],
  pathFields: ["path"],
  targetFields: ["command", "plan", "pattern", "url", "query", "description", "prompt"],
  changeFields: ["old_string", "new_string", "content", "new_source", "edits"],
  outputOf,
  changesOf,
});

/** The text of a tool's result, whose shape differs from tool to tool. */
function outputOf(response: unknown): string {
  if (typeof response === "string") return response;
  const { stdout, stderr, content, file, text, result } = asFields(response) ?? {};
  if (typeof stdout === "string") return [stdout, asText(stderr) ?? ""].filter(Boolean).join("\n");
  if (Array.isArray(content)) return content.map(outputOf).filter(Boolean).join("\n");
  const candidates = [content, text, result, asFields(file)?.["content"]];
  return candidates.map(asText).find((each) => each !== undefined) ?? "";
}

function changesOf(tool: string, input: Fields, response: unknown): Change[] {
  if (tool === "MultiEdit" && Array.isArray(input["edits"]))
    return asFieldsList(input["edits"]).flatMap((edit) => readChange(edit["old_string"], edit["new_string"]));
  if (tool === "Write") {
    const { originalFile, type } = asFields(response) ?? {};
    return readChange(asText(originalFile) ?? (type === "create" ? "" : null), input["content"]);
  }
  if (tool === "NotebookEdit") return readChange(null, input["new_source"]);
  return readChange(input["old_string"], input["new_string"]);
}
