import type { KnownBlock } from "@slack/web-api";
import type { Card, Notice, Outcome } from "../../domain/ask/card.ts";
import type { Asker, Prompt, Subject } from "../../domain/ask/question.ts";
import { formatRule } from "../../domain/ask/format-rule.ts";
import { truncate } from "../../shared/text.ts";
import { listWarnings } from "../card-text.ts";
import { makeKeyBlockId } from "./action-ids.ts";
import { isTooLong, paragraph, preformatted, quote, contextBlock } from "./blocks.ts";
import { drawButtons, drawChooser, isForm } from "./draw-choices.ts";
import { limits } from "./limits.ts";
import { escapeText } from "./plain.ts";

/** The full text of a part that is truncated on the card. */
export interface Attachment {
  name: string;
  title: string;
  content: string;
}

export interface Drawing {
  /** The push preview: headline and asker, but no tool input. */
  text: string;
  blocks: KnownBlock[];
  files: Attachment[];
}

/** Max characters of each part of a card; together they stay below `limits.allBlocks`. */
const maxChars = {
  headline: 300,
  context: 1_000,
  subject: 2_800,
  /** Shared by all prompts of a card, as is `options`. */
  prompts: 2_800,
  options: 1_200,
  earlier: 300,
  warning: 300,
  outcome: 1_000,
  notice: 2_800,
};

const fileNames: Record<Subject["format"], string> = {
  command: "command.sh",
  diff: "change.diff",
  json: "input.json",
  markdown: "plan.md",
};

interface CardOptions {
  key: string;
  /** False if button presses cannot be received (no Socket Mode); people then reply in the thread. */
  isInteractive: boolean;
  /** Shown instead of the buttons if the card cannot be answered here (yet). */
  note?: string;
}

const tooManyPrompts = "Too many questions for one card. Please answer in the terminal or the viewer.";

/** An open question. */
export function drawCard(card: Card, options: CardOptions): Drawing {
  const { isInteractive } = options;
  const note = options.note ?? (card.prompts.length > limits.prompts ? tooManyPrompts : undefined);
  const body = drawBody(card, options.key, isInteractive && note === undefined);
  const footer = note !== undefined ? [contextBlock(note)] : drawControls(card, isInteractive);
  return { ...body, blocks: [...body.blocks, ...footer] };
}

/** A closed question: the card with its outcome in place of the buttons. */
export function drawOutcome(card: Card, outcome: Outcome): Drawing {
  const { text, blocks } = drawBody(card, undefined, false);
  const ending = paragraph([
    { text: `${marks[outcome.state]} ${outcome.text}`, max: maxChars.outcome, isBold: true },
  ]);
  return {
    text: `${truncate(escapeText(outcome.text), maxChars.headline)} – ${text}`,
    blocks: [...blocks, ending],
    files: [],
  };
}

export function drawNotice(notice: Notice, key: string): Drawing {
  const { headline, body, asker, level } = notice;
  const sign = { info: "", warning: "⚠ ", error: "✖ " }[level];
  return {
    text: preview(headline, asker),
    blocks: [
      paragraph([{ text: `${sign}${headline}`, max: maxChars.headline, isBold: true }], makeKeyBlockId(key)),
      ...(body ? [paragraph([{ text: body, max: maxChars.notice }])] : []),
      contextBlock(describeAsker(asker)),
    ],
    files: isTooLong(body, maxChars.notice) ? [{ name: "message.md", title: headline, content: body }] : [],
  };
}

const marks: Record<Outcome["state"], string> = {
  answered: "✓",
  declined: "✗",
  expired: "⌛",
  cancelled: "–",
};

function drawBody(card: Card, key: string | undefined, isInteractive: boolean): Drawing {
  const { headline, asker, context, prompts, subject, sessionRule, earlier } = card;
  const each = Math.floor(maxChars.prompts / Math.max(1, prompts.length));
  const blocks: KnownBlock[] = [
    paragraph(
      [{ text: headline, max: maxChars.headline, isBold: true }],
      key === undefined ? undefined : makeKeyBlockId(key),
    ),
    contextBlock(describeAsker(asker)),
    ...listWarnings(card).map((text) =>
      paragraph([{ text: `⚠ ${text}`, max: maxChars.warning, isBold: true }]),
    ),
    ...(context ? [quote(context, maxChars.context)] : []),
    ...(subject ? drawSubject(subject) : []),
    ...prompts
      .slice(0, limits.prompts)
      .flatMap((prompt, index) => [
        drawPrompt(prompt, prompts.length > 1 ? index + 1 : undefined, each),
        ...(isInteractive && isForm(card) && prompt.options.length > 0 ? [drawChooser(prompt, index)] : []),
      ]),
    ...(sessionRule ? [contextBlock(`“Allow for session” adds: ${formatRule(sessionRule)}`)] : []),
    ...(earlier
      ? [contextBlock(`Last time (${day(earlier.at)}): ${truncate(earlier.answer, maxChars.earlier)}`)]
      : []),
  ];
  return { text: preview(headline, asker), blocks, files: listFiles(card, each) };
}

/** The buttons, or how to answer without them. */
function drawControls(card: Card, isInteractive: boolean): KnownBlock[] {
  if (isInteractive && card.kind !== "choice") return [drawButtons(card)];
  if (isInteractive) return [drawButtons(card), contextBlock("Or reply in this message’s thread.")];
  if (card.kind === "choice" && card.prompts.length === 1)
    return [contextBlock("Reply in this message’s thread with an option or your own words.")];
  return [
    contextBlock(
      `${card.kind === "choice" ? "Answer it" : "To allow it, answer"} in the terminal or the viewer. Buttons need an app-level token (\`rookery setup slack\`).`,
    ),
  ];
}

function drawSubject({ toolName, text, hiddenSecrets }: Subject): KnownBlock[] {
  const secrets = `${hiddenSecrets} ${hiddenSecrets === 1 ? "secret" : "secrets"} hidden`;
  const more = `${text.length} characters in total; full text in this message’s thread`;
  const notes = [
    toolName,
    ...(hiddenSecrets > 0 ? [secrets] : []),
    ...(isTooLong(text, maxChars.subject) ? [more] : []),
  ];
  return [preformatted(text, maxChars.subject), contextBlock(notes.join(" · "))];
}

function drawPrompt(prompt: Prompt, number: number | undefined, max: number): KnownBlock {
  const title = [number ? `${number}.` : "", prompt.header ?? ""].filter(Boolean).join(" ");
  return paragraph([
    { text: title ? `${truncate(title, 100)}\n` : "", max: 110, isBold: true },
    { text: prompt.text, max },
    { text: listOptions(prompt), max: maxOptionChars(max) },
  ]);
}

/** The options as text, because a button may truncate its label. */
function listOptions({ options }: Prompt): string {
  return options
    .map(({ label, description }) => `\n• ${label}${description ? ` – ${description}` : ""}`)
    .join("");
}

const maxOptionChars = (promptMax: number): number =>
  Math.floor((maxChars.options * promptMax) / maxChars.prompts);

/** Attachments for the parts that are truncated on the card. */
function listFiles(card: Card, each: number): Attachment[] {
  const { subject, prompts, context } = card;
  const files: Attachment[] = [];
  if (subject && isTooLong(subject.text, maxChars.subject))
    files.push({ name: fileNames[subject.format], title: subject.toolName, content: subject.text });
  const isLong =
    isTooLong(context ?? "", maxChars.context) ||
    prompts.some(
      (prompt) =>
        isTooLong(prompt.text, each) ||
        isTooLong(listOptions(prompt), maxOptionChars(each)) ||
        prompt.options.length > limits.selectOptions,
    );
  if (isLong) {
    const parts = prompts.map((prompt) => `${prompt.header ?? ""}\n${prompt.text}${listOptions(prompt)}`);
    files.push({
      name: "question.txt",
      title: "Full question",
      content: [context ?? "", ...parts].join("\n\n").trim(),
    });
  }
  return files;
}

function preview(headline: string, { project }: Asker): string {
  return truncate(escapeText(`${headline} (${project})`), 300);
}

function describeAsker({ project, agent, sessionId, subagent }: Asker): string {
  const parts = [project, agent];
  if (subagent) parts.push(`subagent ${subagent}`);
  if (sessionId) parts.push(`session ${sessionId.slice(0, 8)}`);
  return parts.join(" · ");
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
