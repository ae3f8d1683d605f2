import {
  type DescribedRequest,
  describeCommand,
  describeInput,
  describeQuestions,
  labelTool,
  markLines,
  pairByQuestion,
  recordByQuestion,
} from "../question-input.ts";
import { asFields, type Fields } from "../fields.ts";
import type { HostRequests } from "../host.ts";
import { kindOf } from "./tools.ts";

/** A permission hook runs before the dialog; its reply is only known to allow or deny one call. */
export const requests: HostRequests = {
  dialog: "before",
  answersQuestions: false,
  describe(toolName, input) {
    if (kindOf(toolName) === "ask") return describeQuestions(input);
    const kind = kindOf(toolName) === "plan" ? "plan" : "permission";
    return { kind, context: input.description, ...describeCall(toolName, input) };
  },
  labelTool,
  sessionRule: () => null,
  readAnswers(input, response) {
    const answers = asFields(asFields(response)?.["answers"]) ?? {};
    return pairByQuestion(input, answers);
  },
  recordAnswers: (answered) => recordByQuestion("ask_user_question", answered),
};

function describeCall(toolName: string, input: Fields): DescribedRequest {
  const { command, plan, file_path: path, content, old_string: before, new_string: after } = input;
  if (typeof command === "string") return describeCommand(command);
  if (typeof plan === "string") return { action: "use", format: "markdown", text: plan };
  if (kindOf(toolName) !== "edit" || typeof path !== "string") return describeInput(input);
  const lines = [path, ...markLines("-", before), ...markLines("+", after ?? content)];
  return { action: toolName === "write_file" ? "write" : "edit", format: "diff", text: lines.join("\n") };
}
