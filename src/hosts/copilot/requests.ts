import {
  type DescribedRequest,
  describeCommand,
  describeInput,
  labelTool,
  markLines,
} from "../question-input.ts";
import { asFieldsList, asText, type Fields } from "../fields.ts";
import type { HostRequests } from "../host.ts";
import { kindOf } from "./tools.ts";

/** Copilot asks one question in a call, with options as plain texts. */
export const requests: HostRequests = {
  dialog: "none",
  answersQuestions: false,
  describe(toolName, input) {
    if (kindOf(toolName) === "ask") {
      const options = listChoices(input).map((label) => ({ label }));
      return {
        kind: "choice",
        questions: [{ text: asText(input.question) ?? "", header: undefined, options, isMulti: false }],
      };
    }
    return { kind: "permission", context: input.description, ...describeCall(input) };
  },
  labelTool: (name) => labelTool(name.replace(/^([\w]+)-/, "mcp__$1__")),
  sessionRule: () => null,
  readAnswers(input, response) {
    const question = asText(input.question);
    if (question === undefined) return [];
    return [{ question, answer: readAnswer(response), options: listChoices(input) }];
  },
  recordAnswers: ([first]) => ({
    tool_name: "ask_user",
    tool_input: { question: first?.question, choices: first?.options },
    tool_response: { textResultForLlm: first?.answer },
  }),
};

function listChoices({ choices }: Fields): string[] {
  const plain: unknown[] = Array.isArray(choices) ? choices : [];
  return [
    ...plain.flatMap((each) => asText(each) ?? []),
    ...asFieldsList(choices).flatMap(({ label }) => asText(label) ?? []),
  ];
}

function readAnswer(response: unknown): string | null {
  if (typeof response === "string") return response;
  const { textResultForLlm: text } = (response ?? {}) as Fields;
  return asText(text) ?? null;
}

function describeCall(input: Fields): DescribedRequest {
  const { command, path, file_text: created, old_str: before, new_str: after } = input;
  if (typeof command === "string") return describeCommand(command);
  if (typeof path !== "string" || (created ?? after) === undefined) return describeInput(input);
  const lines = [path, ...markLines("-", before), ...markLines("+", created ?? after)];
  return { action: created === undefined ? "edit" : "write", format: "diff", text: lines.join("\n") };
}
