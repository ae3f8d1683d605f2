import { stripInvisible } from "../../shared/defuse.ts";
import { redactValue } from "../../redact/redact-value.ts";
import { truncate, truncateMiddle } from "../../shared/text.ts";
import type { AskedQuestion, HostRequest, Prompt, QuestionKind, Subject } from "./question.ts";

/** A request converted to a question. All secrets are replaced by placeholders. */
export interface ParsedRequest {
  kind: QuestionKind;
  /** The tool's input, redacted. */
  input: Record<string, unknown>;
  context: string | null;
  prompts: Prompt[];
  subject: Subject | null;
  /** Compared with earlier questions to find repeated ones. */
  wording: string;
}

const maxLabel = 300;
const maxText = 4_000;
const maxSubject = 200_000;
const maxWording = 4_000;

/** `describe` comes from the host. Undefined for a choice without questions, which cannot be answered. */
export function readRequest(
  toolName: string,
  rawInput: Record<string, unknown>,
  describe: (toolName: string, input: Record<string, unknown>) => HostRequest,
): ParsedRequest | undefined {
  const { value, hidden } = redactValue(rawInput);
  const input = value as Record<string, unknown>;
  const request = describe(toolName, input);
  if (request.kind === "choice") {
    const prompts = request.questions.map(toPrompt);
    if (prompts.length === 0) return undefined;
    return { kind: "choice", input, context: null, prompts, subject: null, wording: joinPrompts(prompts) };
  }
  const { kind, action, format } = request;
  const text = revealInvisible(request.text);
  return {
    kind,
    input,
    context: cleanText(request.context, maxText),
    prompts: [],
    subject: { toolName, action, format, text: truncateMiddle(text, maxSubject), hiddenSecrets: hidden },
    wording: truncateMiddle(`${toolName}\n${text}`, maxWording),
  };
}

function toPrompt({ text, header, options, isMulti }: AskedQuestion): Prompt {
  return {
    text: cleanText(text, maxText) ?? "",
    header: cleanText(header, maxLabel),
    options: options.map(({ label, description }) => ({
      label: cleanText(label, maxLabel) ?? "",
      description: cleanText(description, maxText),
    })),
    isMulti,
  };
}

export function joinPrompts(prompts: readonly Prompt[]): string {
  return prompts.map(({ text }) => text).join("\n");
}

export function cleanText(value: unknown, limit: number): string | null {
  if (typeof value !== "string") return null;
  const text = stripInvisible(value).trim();
  if (text === "") return null;
  return truncate(text, limit);
}

/** Control and format characters, line separators other than line breaks, and letters that look blank. */
const hiddenCharacters = /[^\P{Cc}\t\n]|\p{Cf}|\p{Zl}|\p{Zp}|[\u115F\u1160\u2800\u3164\uFFA0]/gu;

/** Shows invisible characters by their code: a person consents to this text, so it must read exactly as it runs. */
function revealInvisible(text: string): string {
  return text.replace(
    hiddenCharacters,
    (found) => `[U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}
