import type { HostRequest } from "../../domain/ask/question.ts";
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
import { asFields, asFieldsList, type Fields } from "../fields.ts";
import type { HostRequests } from "../host.ts";
import { makeSessionRule } from "./session-rule.ts";

export const requests: HostRequests = {
  dialog: "beside",
  answersQuestions: true,
  describe,
  labelTool,
  sessionRule: makeSessionRule,
  readAnswers(input, response) {
    // The host puts answers into the result of the call, and into its input if a hook gave them.
    const answers = asFields(asFields(response)?.["answers"]) ?? asFields(input.answers) ?? {};
    return pairByQuestion(input, answers);
  },
  recordAnswers: (answered) => recordByQuestion("AskUserQuestion", answered),
};

function describe(toolName: string, input: Record<string, unknown>): HostRequest {
  if (toolName === "AskUserQuestion") return describeQuestions(input);
  const kind = toolName === "ExitPlanMode" ? "plan" : "permission";
  return {
    kind,
    context: toolName === "Bash" ? input.description : undefined,
    ...describeCall(toolName, input),
  };
}

function describeCall(toolName: string, input: Record<string, unknown>): DescribedRequest {
  const { command, file_path: path, notebook_path: notebook, plan } = input;
  if (toolName === "Bash" && typeof command === "string") return describeCommand(command);
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
  return describeInput(input);
}

function diff(action: "edit" | "write", path: string, edits: readonly Fields[]): DescribedRequest {
  const blocks = edits.map((edit) => {
    const everywhere = edit["replace_all"] === true ? ["@@ everywhere @@"] : [];
    const lines = [...markLines("-", edit["old_string"]), ...markLines("+", edit["new_string"])];
    return [...everywhere, ...lines].join("\n");
  });
  return { action, format: "diff", text: [path, ...blocks].join("\n") };
}
