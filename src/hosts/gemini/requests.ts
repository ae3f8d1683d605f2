import { asFields, parseFields } from "../fields.ts";
import { describeGeminiRequest } from "../gemini-tools.ts";
import type { HostRequests } from "../host.ts";
import { labelTool, pairAnswers, recordByQuestion } from "../question-input.ts";
import { kindOf, tools } from "./tools.ts";

/** Its hooks cannot allow a call: they run before the dialog, which opens nevertheless. */
export const requests: HostRequests = {
  dialog: "none",
  answersQuestions: false,
  describe: (toolName, input) => describeGeminiRequest(kindOf(toolName), toolName, input),
  labelTool: (name) => labelTool(name.replace(/^mcp_([^_]+)_/, "mcp__$1__")),
  sessionRule: () => null,
  /** Answers are named by the position of their question. */
  readAnswers(input, response) {
    const answers = asFields(parseFields(tools.outputOf(response))?.["answers"]) ?? {};
    return pairAnswers(input, (_question, at) => answers[at]);
  },
  recordAnswers: (answered) => ({
    ...recordByQuestion("ask_user", answered),
    tool_response: formatAnswers(answered.map(({ answer }) => answer ?? undefined)),
  }),
};

export function formatAnswers(answers: readonly unknown[]): { llmContent: string } {
  return { llmContent: JSON.stringify({ answers: Object.fromEntries(answers.entries()) }) };
}
