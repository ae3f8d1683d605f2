import type { AskedQuestion, HostRequest, Prompt } from "../domain/ask/question.ts";
import { clipText } from "../domain/transcript/clip-text.ts";
import type { OptionTexts } from "../domain/memory/turn-record.ts";
import { asFields, asFieldsList, asText, type Fields } from "./fields.ts";
import type { AnsweredQuestion } from "./host.ts";

/** Questions with options, and calls in words: the shapes are the same in several hosts. */

type Question = Fields & { question: string };

/** The host's questions. Those without a text are skipped: an answer names its question by the text. */
export function listQuestions(input: Record<string, unknown>): Question[] {
  return asFieldsList(input.questions).filter(
    (each): each is Question => typeof each["question"] === "string",
  );
}

export function listLabels(question: Fields): string[] {
  return listOptions(question).map(({ label }) => asText(label) ?? "");
}

function listOptions({ options }: Fields): { label?: unknown; description?: unknown }[] {
  return Array.isArray(options) ? options.map((option) => asFields(option) ?? {}) : [];
}

/** The host's own labels of the chosen options: cards show them without secrets and invisible characters. */
export function restoreLabels(
  chosen: readonly string[] = [],
  labels: readonly string[],
  prompt: Prompt | undefined,
): string[] {
  const shown = prompt?.options.map(({ label }) => label) ?? [];
  return chosen.map((text) => labels[shown.indexOf(text)] ?? text);
}

/** The texts that explain a question and its options. */
export function readOptionTexts(question: Fields, limit = Infinity): OptionTexts {
  const header = asText(question["header"]);
  const details = listOptions(question).map(({ description }) => clipText(asText(description) ?? "", limit));
  return {
    ...(header ? { header } : {}),
    ...(details.some(Boolean) ? { details } : {}),
  };
}

export function describeQuestions(input: Record<string, unknown>): HostRequest {
  return { kind: "choice", questions: listQuestions(input).map(readQuestion) };
}

function readQuestion(question: Question): AskedQuestion {
  return {
    text: question.question,
    header: question["header"],
    options: listOptions(question),
    isMulti: question["multiSelect"] === true,
  };
}

/** Pairs each question with its answer; `answerOf` returns the host's value for it. */
export function pairAnswers(
  input: Record<string, unknown>,
  answerOf: (question: Question, at: number) => unknown,
): AnsweredQuestion[] {
  return listQuestions(input).map((question, at) => {
    const answer = answerOf(question, at);
    return {
      question: question.question,
      answer: answer === undefined ? null : (asText(answer) ?? JSON.stringify(answer)),
      options: listLabels(question),
      ...readOptionTexts(question),
    };
  });
}

/** The text after each mark, up to the next mark; null for a mark that is not in the text. */
export function splitByMarks(text: string, marks: readonly string[]): (string | null)[] {
  const starts = marks.map((mark) => text.indexOf(mark));
  return marks.map((mark, n) => {
    const start = starts[n] ?? -1;
    if (start < 0) return null;
    const next = Math.min(text.length, ...starts.filter((other) => other > start));
    return text.slice(start + mark.length, next);
  });
}

/** For hosts whose tool returns the answers by the text of their question. */
export function pairByQuestion(input: Record<string, unknown>, answers: Fields): AnsweredQuestion[] {
  return pairAnswers(input, ({ question }) =>
    Object.hasOwn(answers, question) ? answers[question] : undefined,
  );
}

/** The call of such a tool, as the host would report it. */
export function recordByQuestion(toolName: string, answered: readonly AnsweredQuestion[]): Fields {
  return {
    tool_name: toolName,
    tool_input: {
      questions: answered.map(({ question, header, options, details }) => ({
        question,
        ...(header ? { header } : {}),
        options: options.map((label, n) => ({ label, ...(details?.[n] ? { description: details[n] } : {}) })),
      })),
    },
    tool_response: {
      answers: Object.fromEntries(answered.map(({ question, answer }) => [question, answer])),
    },
  };
}

/** `mcp__plugin_x_github__create_issue` reads as "x github: create issue". */
export function labelTool(toolName: string): string {
  const [, server, tool] = /^mcp__(?:plugin_)?(.+?)__(.+)$/.exec(toolName) ?? [];
  if (server === undefined || tool === undefined) return toolName;
  return `${server.replaceAll(/[_-]+/g, " ")}: ${tool.replaceAll(/[_-]+/g, " ")}`;
}

export type DescribedRequest = Pick<Extract<HostRequest, { text: string }>, "action" | "format" | "text">;

export const describeCommand = (text: string): DescribedRequest => ({
  action: "run",
  format: "command",
  text,
});

export function describeInput(input: Record<string, unknown>): DescribedRequest {
  return { action: "use", format: "json", text: JSON.stringify(input, null, 2) };
}

/** The lines of a text, each with a mark in front; none for an empty text. */
export function markLines(mark: string, text: unknown): string[] {
  return typeof text === "string" && text !== "" ? text.split("\n").map((line) => mark + line) : [];
}
