import { stripInvisible } from "../../shared/defuse.ts";
import { type RedactedValue, redactValue } from "../../redact/redact-value.ts";
import { truncate, truncateMiddle } from "../../shared/text.ts";
import type { Prompt, QuestionKind, Subject } from "./question.ts";
import { describeSubject } from "./subject.ts";

/** A permission request of the host, as a question. Secrets are placeholders in all of it. */
export interface Request {
  kind: QuestionKind;
  /** The tool's input, redacted. */
  input: Record<string, unknown>;
  context: string | null;
  prompts: Prompt[];
  subject: Subject | null;
  /** What is compared to find that the same was asked before. */
  wording: string;
}

const longestLabel = 300;
const longestText = 4_000;
/** More than anybody reads on a card, and little enough to keep. */
const longestSubject = 200_000;
const longestWording = 4_000;

/** Undefined for an AskUserQuestion that asks nothing: there would be nothing to answer. */
export function readRequest(toolName: string, rawInput: Record<string, unknown>): Request | undefined {
  const redacted = redactValue(rawInput);
  const input = redacted.value as Record<string, unknown>;
  if (toolName === "AskUserQuestion") return readChoice(input);
  return readPermission(toolName, input, redacted);
}

function readChoice(input: Record<string, unknown>): Request | undefined {
  const prompts = listQuestions(input).map(readPrompt);
  if (prompts.length === 0) return undefined;
  const wording = wordChoice(prompts);
  return { kind: "choice", input, context: null, prompts, subject: null, wording };
}

/** The host's questions; one without a text cannot be answered by name. */
export function listQuestions(input: Record<string, unknown>): Record<string, unknown>[] {
  const questions = Array.isArray(input.questions) ? (input.questions as unknown[]) : [];
  return questions.filter(
    (each): each is Record<string, unknown> =>
      typeof each === "object" &&
      each !== null &&
      typeof (each as { question?: unknown }).question === "string",
  );
}

export function listLabels(question: Record<string, unknown>): string[] {
  return listOptions(question).map((option) => (typeof option.label === "string" ? option.label : ""));
}

function listOptions(question: Record<string, unknown>): { label?: unknown; description?: unknown }[] {
  const options = Array.isArray(question.options) ? (question.options as unknown[]) : [];
  return options.map((option) => (typeof option === "object" && option !== null ? option : {}));
}

function readPrompt(question: Record<string, unknown>): Prompt {
  return {
    text: cleanText(question.question, longestText) ?? "",
    header: cleanText(question.header, longestLabel),
    options: listOptions(question).map(({ label, description }) => ({
      label: cleanText(label, longestLabel) ?? "",
      description: cleanText(description, longestText),
    })),
    isMulti: question.multiSelect === true,
  };
}

export function wordChoice(prompts: readonly Prompt[]): string {
  return prompts.map(({ text }) => text).join("\n");
}

function readPermission(
  toolName: string,
  input: Record<string, unknown>,
  { hidden }: RedactedValue,
): Request {
  const whole = describeSubject(toolName, input, hidden);
  const subject = { ...whole, text: truncateMiddle(whole.text, longestSubject) };
  const kind = toolName === "ExitPlanMode" ? "plan" : "permission";
  const context = toolName === "Bash" ? cleanText(input.description, longestText) : null;
  return {
    kind,
    input,
    context,
    prompts: [],
    subject,
    wording: truncateMiddle(`${toolName}\n${whole.text}`, longestWording),
  };
}

export function cleanText(value: unknown, limit: number): string | null {
  if (typeof value !== "string") return null;
  const text = stripInvisible(value).trim();
  if (text === "") return null;
  return truncate(text, limit);
}
