import {
  type DescribedRequest,
  describeCommand,
  describeInput,
  labelTool,
  markLines,
} from "../question-input.ts";
import type { Fields } from "../fields.ts";
import type { HostRequests } from "../host.ts";
import { listFields, readAnswers } from "./form.ts";
import { kindOf, tools } from "./tools.ts";

/** Our extension reports a dialog and does not keep it from opening. Without it, no dialog is reported. */
export const requests: HostRequests = {
  dialog: "event",
  answersQuestions: true,
  describe(toolName, input) {
    if (kindOf(toolName) !== "ask")
      return { kind: "permission", context: input.description, ...describeCall(input) };
    const questions = listFields(input).map(({ labels, ...field }) => ({
      ...field,
      options: labels.map((label) => ({ label })),
    }));
    return { kind: "choice", questions };
  },
  labelTool: (name) => labelTool(name.replace(/^([\w]+)-/, "mcp__$1__")),
  sessionRule: () => null,
  readAnswers(input, response) {
    const fields = listFields(input);
    const answers = readAnswers(tools.outputOf(response), fields);
    return fields.map(({ text, labels, nameOf }, place) => ({
      question: text,
      answer: nameOf(answers[place] ?? "") || null,
      options: labels,
    }));
  },
  recordAnswers(answered) {
    const fields = answered.map(({ question, options }, place) => [
      `answer${place + 1}`,
      { type: "string", title: question, enum: options },
    ]);
    const said = answered.flatMap(({ answer }, place) => {
      if (answered.length === 1) return answer ?? "";
      return answer === null ? [] : `answer${place + 1}=${answer}`;
    });
    return {
      tool_name: "ask_user",
      tool_input: { requestedSchema: { properties: Object.fromEntries(fields) } },
      tool_response: { textResultForLlm: `User responded: ${said.join(", ")}` },
    };
  },
};

function describeCall(input: Fields): DescribedRequest {
  const { command, path, file_text: created, old_str: before, new_str: after } = input;
  if (typeof command === "string") return describeCommand(command);
  if (typeof path !== "string" || (created ?? after) === undefined) return describeInput(input);
  const lines = [path, ...markLines("-", before), ...markLines("+", created ?? after)];
  return { action: created === undefined ? "edit" : "write", format: "diff", text: lines.join("\n") };
}
