import type { HostRequest } from "../domain/ask/question.ts";
import type { ToolKind } from "../protocol/agent-events.ts";
import { asFields, asFieldsList, asText, type Fields } from "./fields.ts";
import { makeFieldTools, readChange } from "./field-tools.ts";
import type { HostTools } from "./host.ts";
import {
  type DescribedRequest,
  describeCommand,
  describeInput,
  describeQuestions,
  markLines,
} from "./question-input.ts";

/** Shared by Gemini CLI and its fork Qwen Code: most tools, their inputs and the form of their results. */

type Kinds = Readonly<Record<string, ToolKind>>;

const commonKinds: Kinds = {
  read_file: "read",
  read_many_files: "read",
  replace: "edit",
  write_file: "edit",
  run_shell_command: "run",
  exit_plan_mode: "plan",
  glob: "search",
  grep_search: "search",
  list_directory: "search",
  web_fetch: "web",
  save_memory: "housekeeping",
};

/** `kinds` are those of the host's other tools. */
export function makeGeminiTools(kinds: Kinds, outputOf: HostTools["outputOf"]): HostTools {
  return makeFieldTools({
    kinds: { ...commonKinds, ...kinds },
    fileFields: ["file_path", "absolute_path"],
    pathFields: ["path", "dir_path"],
    targetFields: ["command", "plan", "pattern", "url", "query", "description", "prompt"],
    changeFields: ["old_string", "new_string", "content"],
    outputOf,
    changesOf: (tool, input) =>
      tool === "write_file"
        ? readChange(null, input["content"])
        : readChange(input["old_string"], input["new_string"]),
  });
}

/** The text for the model: a string, or a list of parts. */
export function readLlmContent(response: unknown): string {
  if (typeof response === "string") return response;
  const { llmContent: content, output, error } = asFields(response) ?? {};
  const texts = asFieldsList(content).flatMap(({ text }) => asText(text) ?? []);
  return [content, output, error].map(asText).find((text) => text !== undefined) ?? texts.join("\n");
}

export function describeGeminiRequest(toolKind: ToolKind, toolName: string, input: Fields): HostRequest {
  if (toolKind === "ask") return describeQuestions(input);
  const kind = toolKind === "plan" ? "plan" : "permission";
  const call = toolKind === "edit" ? describeEdit(toolName, input) : undefined;
  return { kind, context: input["description"], ...(call ?? describeOther(input)) };
}

function describeEdit(toolName: string, input: Fields): DescribedRequest | undefined {
  const { file_path: path, content, old_string: before, new_string: after } = input;
  if (typeof path !== "string") return undefined;
  const lines = [path, ...markLines("-", before), ...markLines("+", after ?? content)];
  return { action: toolName === "write_file" ? "write" : "edit", format: "diff", text: lines.join("\n") };
}

function describeOther(input: Fields): DescribedRequest {
  const { command, plan } = input;
  if (typeof command === "string") return describeCommand(command);
  return typeof plan === "string" ? { action: "use", format: "markdown", text: plan } : describeInput(input);
}
