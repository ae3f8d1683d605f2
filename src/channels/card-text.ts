import type { Card, Notice } from "../domain/ask/card.ts";
import type { Subject } from "../domain/ask/question.ts";
import { stripInvisible } from "../shared/defuse.ts";
import { takeStart, truncate, toOneLine } from "../shared/text.ts";
import { showInvisible } from "./show-invisible.ts";

/** Limits in characters, except for `options`. */
export interface TextLimits {
  line: number;
  /** A prompt, the context or the subject. */
  part: number;
  /** Everything before the ending. */
  text: number;
  /** Number of options. */
  options: number;
}

/** A card as plain text, so that its content cannot be markup. */
interface CardText {
  text: string;
  /** Where the command, diff or plan is in `text`; undefined if there is none. */
  subject: { start: number; length: number } | undefined;
  /** The full text, if something was cut. */
  file: CardFile | undefined;
}

export interface CardFile {
  name: string;
  text: string;
}

const unlimited: TextLimits = { line: Infinity, part: Infinity, text: Infinity, options: Infinity };

const fileNames: Record<Subject["format"], string> = {
  command: "command.txt",
  diff: "change.diff",
  json: "input.json",
  markdown: "plan.md",
};

/** `ending` says how to answer, or how it ended; it is never cut. */
export function writeCard(card: Card, limits: TextLimits, ending: string): CardText {
  const { subject } = card;
  const body = joinParts(describeCard(card, limits));
  const shown = subject ? cutSubject(subject.text, limits) : "";
  const start = subject ? body.indexOf(`:\n${shown}`) + 2 : -1;
  const text = joinParts([truncate(body, limits.text), ending]).toWellFormed();
  const isSubjectCut = subject !== null && showInvisible(subject.text) !== shown;
  const isCut = body.length > limits.text || body !== joinParts(describeCard(card, unlimited));
  const file = isSubjectCut
    ? { name: fileNames[subject.format], text: showInvisible(subject.text) }
    : isCut
      ? { name: "question.txt", text: joinParts(describeCard(card, unlimited)) }
      : undefined;
  const isWhole = start > 1 && start + shown.length <= limits.text;
  return { text, file, subject: isWhole ? { start, length: shown.length } : undefined };
}

export function writeNotice({ headline, body, asker }: Notice, limits: TextLimits): string {
  return joinParts([
    line(headline, limits),
    truncate(joinParts([describeAsker(asker, limits), part(body, limits)]), limits.text),
  ]).toWellFormed();
}

/** Untrusted text on one line. */
export function line(text: string, { line: max }: Pick<TextLimits, "line">): string {
  return truncate(toOneLine(stripInvisible(text)), max);
}

/** Untrusted text, with its line breaks. */
export function part(text: string, { part: max }: Pick<TextLimits, "part">): string {
  return truncate(stripInvisible(text).trim(), max);
}

function describeCard(card: Card, limits: TextLimits): string[] {
  const { headline, asker, context, prompts, subject, earlier } = card;
  return [
    line(headline, limits),
    describeAsker(asker, limits),
    ...listWarnings(card).map((warning) => `⚠ ${line(warning, limits)}`),
    part(context ?? "", limits),
    subject ? describeSubject(subject, limits) : "",
    ...prompts.map((prompt, index) =>
      describePrompt(prompt, prompts.length > 1 ? `${index + 1}) ` : "", limits),
    ),
    earlier ? `Last time: ${line(earlier.answer, limits)}` : "",
  ];
}

/** Warnings that a person must read before allowing. */
export function listWarnings({ danger, claimedBy }: Pick<Card, "danger" | "claimedBy">): string[] {
  return [
    ...(danger ? [`Careful: this ${danger}.`] : []),
    ...(claimedBy ? [`${claimedBy} has claimed this file.`] : []),
  ];
}

function describeAsker({ project, agent, subagent }: Card["asker"], limits: TextLimits): string {
  return line(`${project} · ${agent}${subagent ? ` · ${subagent}` : ""}`, limits);
}

function describePrompt(prompt: Card["prompts"][number], number: string, limits: TextLimits): string {
  const { text, header, options, isMulti } = prompt;
  const shown = options.slice(0, limits.options);
  const rows = shown.map(
    ({ label, description }, index) =>
      `  ${index + 1}. ${line(label, limits)}${description ? ` – ${line(description, limits)}` : ""}`,
  );
  const left = options.length - shown.length;
  return [
    `${number}${header ? `${line(header, limits)}: ` : ""}${part(text, limits)}${isMulti ? " (choose one or more)" : ""}`,
    ...rows,
    ...(left > 0
      ? [`  … and ${left} more options. To choose one of them, answer in the terminal or the viewer.`]
      : []),
  ].join("\n");
}

function describeSubject({ toolName, text, hiddenSecrets }: Subject, limits: TextLimits): string {
  const secrets =
    hiddenSecrets > 0 ? `\n(${hiddenSecrets} ${hiddenSecrets === 1 ? "secret" : "secrets"} hidden)` : "";
  const shown = cutSubject(text, limits);
  const cut = shown.length < showInvisible(text).length ? "\n… full text in the file above." : "";
  return `${line(toolName, limits)}:\n${shown}${cut}${secrets}`;
}

function cutSubject(text: string, { part: max }: TextLimits): string {
  return takeStart(showInvisible(text), max);
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((each) => each !== "").join("\n\n");
}
