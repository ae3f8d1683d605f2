import type { Change } from "../../domain/memory/line-origin.ts";
import type { ToolCall } from "../../domain/capture/payload-rules.ts";
import type { ToolKind } from "../../protocol/agent-events.ts";
import type { HostTools } from "../host.ts";
import { makeKindOf } from "../tool-kinds.ts";
import { asFields, asFieldsList, asText, type Fields } from "../fields.ts";

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
  ReadMcpResource: "housekeeping",
  SlashCommand: "housekeeping",
  Skill: "housekeeping",
  ToolSearch: "housekeeping",
  TaskList: "housekeeping",
  TaskCreate: "housekeeping",
  TaskUpdate: "housekeeping",
};

const pathFields = ["file_path", "notebook_path", "path"] as const;
/** Fields that name the target of a call, the most informative first. */
const targetFields = [
  "file_path",
  "notebook_path",
  "command",
  "plan",
  "pattern",
  "url",
  "query",
  "description",
  "prompt",
  "path",
] as const;
const changeFields = ["old_string", "new_string", "content", "new_source", "edits"] as const;

export const kindOf = makeKindOf(kinds);

export const tools: HostTools = {
  names: Object.keys(kinds),
  inputFields: [...new Set([...targetFields, ...changeFields])],
  kindOf,
  fileOf,
  readCall,
  outputOf,
  changesOf,
};

export function fileOf(input: unknown): string | undefined {
  const { file_path: file, notebook_path: notebook } = asFields(input) ?? {};
  return [file, notebook].map(asText).find(Boolean);
}

export function readCall(tool: string, rawInput: unknown): ToolCall {
  const input = asFields(rawInput) ?? {};
  const asked = asFieldsList(input["questions"])[0]?.["question"];
  const candidates = [...targetFields.map((field) => input[field]), asked];
  return {
    paths: pathFields.flatMap((field) => asText(input[field]) ?? []),
    command: asText(input["command"]),
    target: candidates.map(asText).find((text) => text?.trim()) ?? "",
    changes: kindOf(tool) === "edit" ? changesOf(tool, input, undefined) : [],
  };
}

/** The text of a tool's result, whose shape differs from tool to tool. */
function outputOf(response: unknown): string {
  if (typeof response === "string") return response;
  const { stdout, stderr, content, file, text, result } = asFields(response) ?? {};
  if (typeof stdout === "string") return [stdout, asText(stderr) ?? ""].filter(Boolean).join("\n");
  if (Array.isArray(content)) return content.map(outputOf).filter(Boolean).join("\n");
  const candidates = [content, text, result, asFields(file)?.["content"]];
  return candidates.map(asText).find((each) => each !== undefined) ?? "";
}

function changesOf(tool: string, rawInput: unknown, response: unknown): Change[] {
  const input = asFields(rawInput) ?? {};
  if (tool === "MultiEdit" && Array.isArray(input["edits"]))
    return input["edits"].flatMap((edit) => toChange(asFields(edit) ?? {}));
  if (tool === "Write") {
    const { originalFile, type } = asFields(response) ?? {};
    const before = asText(originalFile) ?? (type === "create" ? "" : null);
    const after = asText(input["content"]);
    return after === undefined ? [] : [{ before, after }];
  }
  if (tool === "NotebookEdit") {
    const after = asText(input["new_source"]);
    return after === undefined ? [] : [{ before: null, after }];
  }
  return toChange(input);
}

function toChange({ old_string: before, new_string: after }: Fields): Change[] {
  return typeof after === "string" ? [{ before: asText(before) ?? null, after }] : [];
}
