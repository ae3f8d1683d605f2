import type { Fields } from "../fields.ts";
import { describeGeminiRequest } from "../gemini-tools.ts";
import type { HostRequests } from "../host.ts";
import { labelTool, listQuestions, pairAnswers, recordByQuestion, splitByMarks } from "../question-input.ts";
import { kindOf, tools } from "./tools.ts";

/** A permission hook runs before the dialog. It can allow or deny one call, but not answer questions or approve plans. */
export const requests: HostRequests = {
  dialog: "before",
  answersQuestions: false,
  describe: (toolName, input) => describeGeminiRequest(kindOf(toolName), toolName, input),
  labelTool,
  sessionRule: () => null,
  readAnswers(input, response) {
    const given = splitByMarks(`\n${tools.outputOf(response)}`, listQuestions(input).map(markAnswer));
    return pairAnswers(input, (_question, at) => given[at] ?? undefined);
  },
  recordAnswers: (answered) => ({
    ...recordByQuestion("ask_user_question", answered),
    tool_response: formatAnswers(
      [],
      answered.map(({ answer }) => answer),
    ),
  }),
};

function markAnswer({ header }: Fields, at: number): string {
  return `\n**${typeof header === "string" && header !== "" ? header : `Question ${at + 1}`}**: `;
}

export function formatAnswers(
  questions: readonly Fields[],
  answers: readonly (string | null | undefined)[],
): { llmContent: string } {
  const lines = answers.map((answer, at) => (answer ? markAnswer(questions[at] ?? {}, at) + answer : ""));
  return { llmContent: `User has provided the following answers:\n${lines.join("")}` };
}
