import { asFields } from "../fields.ts";
import { describeGeminiRequest } from "../gemini-tools.ts";
import type { HostRequests } from "../host.ts";
import { labelTool, pairByQuestion, recordByQuestion } from "../question-input.ts";
import { kindOf } from "./tools.ts";

/** A permission hook runs before the dialog; its reply is only known to allow or deny one call. */
export const requests: HostRequests = {
  dialog: "before",
  answersQuestions: false,
  describe: (toolName, input) => describeGeminiRequest(kindOf(toolName), toolName, input),
  labelTool,
  sessionRule: () => null,
  readAnswers(input, response) {
    const answers = asFields(asFields(response)?.["answers"]) ?? {};
    return pairByQuestion(input, answers);
  },
  recordAnswers: (answered) => recordByQuestion("ask_user_question", answered),
};
