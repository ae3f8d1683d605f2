import {
  type DescribedRequest,
  describeCommand,
  describeInput,
  describeQuestions,
  listLabels,
  listQuestions,
  markLines,
} from "../question-input.ts";
import { asFields, type Fields } from "../fields.ts";
import type { HostRequests } from "../host.ts";
import { kindOf } from "./tools.ts";

/** OpenCode reports a request as an event and never waits for our plugin; its dialog is open meanwhile. */
export const requests: HostRequests = {
  dialog: "event",
  answersQuestions: true,
  describe(toolName, input) {
    if (kindOf(toolName) === "ask") return describeQuestions({ questions: listAsked(input) });
    return { kind: "permission", context: input.description, ...describeCall(toolName, input) };
  },
  labelTool: (name) => name.replaceAll("_", " "),
  // Its own rules for a session allow more than was asked: `touch a` becomes `touch *`.
  sessionRule: () => null,
  readAnswers(input, response) {
    const given = asFields(asFields(response)?.["metadata"])?.["answers"];
    const answers: unknown[] = Array.isArray(given) ? given : [];
    return listQuestions(input).map((question, place) => ({
      question: question.question,
      answer: joinChosen(answers[place]),
      options: listLabels(question),
    }));
  },
  recordAnswers: (answered) => ({
    tool_name: "question",
    tool_input: {
      questions: answered.map(({ question, options }) => ({
        question,
        options: options.map((label) => ({ label })),
      })),
    },
    tool_response: {
      metadata: { answers: answered.map(({ answer }) => (answer === null ? [] : [answer])) },
    },
  }),
};

function listAsked(input: Fields): Fields[] {
  return listQuestions(input).map((question) => ({ ...question, multiSelect: question["multiple"] }));
}

function joinChosen(chosen: unknown): string | null {
  return Array.isArray(chosen) && chosen.length > 0 ? chosen.join(", ") : null;
}

function describeCall(toolName: string, input: Fields): DescribedRequest {
  const { command, filePath: path, content, oldString: before, newString: after } = input;
  if (typeof command === "string") return describeCommand(command);
  if (kindOf(toolName) !== "edit" || typeof path !== "string") return describeInput(input);
  const lines = [path, ...markLines("-", before), ...markLines("+", after ?? content)];
  return { action: toolName === "write" ? "write" : "edit", format: "diff", text: lines.join("\n") };
}
