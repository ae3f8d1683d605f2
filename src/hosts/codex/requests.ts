import {
  type DescribedRequest,
  describeCommand,
  describeInput,
  describeQuestions,
  labelTool,
  pairAnswers,
} from "../question-input.ts";
import { asFields, asText, type Fields, parseFields } from "../fields.ts";
import type { HostRequests } from "../host.ts";

/**
 * A permission hook runs before the dialog, and its reply can only allow or deny one call: rules for the session and
 * answers to questions would be refused.
 */
export const requests: HostRequests = {
  dialog: "before",
  answersQuestions: false,
  describe(toolName, input) {
    if (toolName === "request_user_input") return describeQuestions(input);
    return { kind: "permission", context: input.description, ...describeCall(toolName, input) };
  },
  labelTool,
  sessionRule: () => null,
  readAnswers(input, response) {
    const answers = asFields(readResponse(response)["answers"]) ?? {};
    return pairAnswers(input, ({ id }) => {
      const given = asFields(answers[asText(id) ?? ""])?.["answers"];
      return Array.isArray(given) ? given.join(", ") : undefined;
    });
  },
  recordAnswers: (answered) => ({
    tool_name: "request_user_input",
    tool_input: {
      questions: answered.map(({ question, options }, index) => ({
        id: String(index),
        question,
        options: options.map((label) => ({ label })),
      })),
    },
    tool_response: {
      answers: Object.fromEntries(
        answered.flatMap(({ answer }, index) => (answer === null ? [] : [[index, { answers: [answer] }]])),
      ),
    },
  }),
};

function describeCall(toolName: string, input: Fields): DescribedRequest {
  const { command } = input;
  if (typeof command !== "string") return describeInput(input);
  if (toolName === "apply_patch") return { action: "edit", format: "diff", text: command };
  return describeCommand(command);
}

/** The hook reports the answers as JSON text. */
function readResponse(response: unknown): Fields {
  return (typeof response === "string" ? parseFields(response) : asFields(response)) ?? {};
}
