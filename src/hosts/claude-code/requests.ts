import type { AskedQuestion, HostRequest } from "../../domain/ask/read-request.ts";
import type { HostRequests } from "../host.ts";
import { makeSessionRule } from "./session-rule.ts";
import { asFields, asFieldsList, asText, type Fields } from "./transcript/fields.ts";

export const requests: HostRequests = {
  describe,
  labelTool,
  sessionRule: makeSessionRule,
  readAnswers,
  recordAnswers: (answered) => ({
    tool_name: "AskUserQuestion",
    tool_input: {
      questions: answered.map(({ question, options }) => ({
        question,
        options: options.map((label) => ({ label })),
      })),
    },
    tool_response: {
      answers: Object.fromEntries(answered.map(({ question, answer }) => [question, answer])),
    },
  }),
};

export function describe(toolName: string, input: Record<string, unknown>): HostRequest {
  if (toolName === "AskUserQuestion")
    return { kind: "choice", questions: listQuestions(input).map(readQuestion) };
  const kind = toolName === "ExitPlanMode" ? "plan" : "permission";
  return {
    kind,
    context: toolName === "Bash" ? input.description : undefined,
    ...describeCall(toolName, input),
  };
}

/** `mcp__plugin_x_github__create_issue` reads as "x github: create issue". */
function labelTool(toolName: string): string {
  const [, server, tool] = /^mcp__(?:plugin_)?(.+?)__(.+)$/.exec(toolName) ?? [];
  if (server === undefined || tool === undefined) return toolName;
  return `${server.replaceAll(/[_-]+/g, " ")}: ${tool.replaceAll(/[_-]+/g, " ")}`;
}

/** The host's questions. Those without a text are skipped: an answer names its question by the text. */
export function listQuestions(input: Record<string, unknown>): (Fields & { question: string })[] {
  return asFieldsList(input.questions).filter(
    (each): each is Fields & { question: string } => typeof each["question"] === "string",
  );
}

export function listLabels(question: Fields): string[] {
  return listOptions(question).map(({ label }) => asText(label) ?? "");
}

function listOptions({ options }: Fields): { label?: unknown; description?: unknown }[] {
  return Array.isArray(options) ? options.map((option) => asFields(option) ?? {}) : [];
}

function readQuestion(question: Fields & { question: string }): AskedQuestion {
  return {
    text: question.question,
    header: question["header"],
    options: listOptions(question),
    isMulti: question["multiSelect"] === true,
  };
}

type Described = Pick<Extract<HostRequest, { text: string }>, "action" | "format" | "text">;

function describeCall(toolName: string, input: Record<string, unknown>): Described {
  const { command, file_path: path, notebook_path: notebook, plan } = input;
  if (toolName === "Bash" && typeof command === "string")
    return { action: "run", format: "command", text: command };
  if (toolName === "ExitPlanMode" && typeof plan === "string")
    return { action: "use", format: "markdown", text: plan };
  if (toolName === "ExitPlanMode" && Object.keys(input).length === 0)
    return { action: "use", format: "markdown", text: "The plan has no text." };
  if (toolName === "Edit" && typeof path === "string") return diff("edit", path, [input]);
  if (toolName === "MultiEdit" && typeof path === "string" && Array.isArray(input.edits))
    return diff("edit", path, asFieldsList(input.edits));
  if (toolName === "Write" && typeof path === "string")
    return diff("write", path, [{ old_string: "", new_string: input.content }]);
  if (toolName === "NotebookEdit" && typeof notebook === "string")
    return diff("edit", notebook, [{ old_string: "", new_string: input.new_source }]);
  return { action: "use", format: "json", text: JSON.stringify(input, null, 2) };
}

function diff(action: "edit" | "write", path: string, edits: readonly Fields[]): Described {
  const blocks = edits.map((edit) => {
    const everywhere = edit["replace_all"] === true ? ["@@ everywhere @@"] : [];
    return [...everywhere, ...marked("-", edit["old_string"]), ...marked("+", edit["new_string"])].join("\n");
  });
  return { action, format: "diff", text: [path, ...blocks].join("\n") };
}

function marked(mark: string, text: unknown): string[] {
  return typeof text === "string" && text !== "" ? text.split("\n").map((line) => mark + line) : [];
}

/** The host puts answers into the result of the call, and into its input if a hook gave them. */
function readAnswers(
  input: Record<string, unknown>,
  response: unknown,
): ReturnType<HostRequests["readAnswers"]> {
  const answers = asFields(asFields(response)?.["answers"]) ?? asFields(input.answers) ?? {};
  return listQuestions(input).map((question) => {
    const answer = Object.hasOwn(answers, question.question) ? answers[question.question] : undefined;
    return {
      question: question.question,
      answer: answer === undefined ? null : (asText(answer) ?? JSON.stringify(answer)),
      options: listLabels(question),
    };
  });
}
