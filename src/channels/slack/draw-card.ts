import type { KnownBlock } from "@slack/web-api";
import type { Card, Notice, Outcome } from "../../domain/ask/card.ts";
import type { Asker, Prompt, Subject } from "../../domain/ask/question.ts";
import { formatRule } from "../../domain/ask/format-rule.ts";
import { truncate } from "../../shared/text.ts";
import { keyBlockId } from "./action-ids.ts";
import { isCut, paragraph, preformatted, quote, small } from "./blocks.ts";
import { drawButtons, drawChooser, isForm } from "./draw-choices.ts";
import { limits } from "./limits.ts";
import { escapeText } from "./plain.ts";

/** What goes up beside a card because the card shows only its beginning. */
export interface Attachment {
  name: string;
  title: string;
  content: string;
}

export interface Drawing {
  /** The push preview: the headline and who asks, nothing of the input. */
  text: string;
  blocks: KnownBlock[];
  files: Attachment[];
}

/** How much of each part stands on the card itself; all together stay below `limits.allBlocks`. */
const room = {
  headline: 300,
  context: 1_000,
  subject: 2_800,
  /** Shared by all prompts of a card; the lists of their options likewise. */
  prompts: 2_800,
  options: 1_200,
  earlier: 300,
  outcome: 1_000,
  notice: 2_800,
};

const names: Record<Subject["format"], string> = {
  command: "command.sh",
  diff: "change.diff",
  json: "input.json",
  markdown: "plan.md",
};

export interface CardOptions {
  key: string;
  /** Whether presses reach us; without, people reply in the thread. */
  isInteractive: boolean;
  /** Said instead of the buttons, where the card must not be answered here (yet). */
  note?: string;
}

const tooMany = "More questions than fit on a card: please answer in the terminal or the viewer.";

/** An open question. */
export function drawCard(card: Card, options: CardOptions): Drawing {
  const { isInteractive } = options;
  const note = options.note ?? (card.prompts.length > limits.prompts ? tooMany : undefined);
  const body = drawBody(card, options.key, isInteractive && note === undefined);
  const last = note !== undefined ? [small(note)] : drawWays(card, isInteractive);
  return { ...body, blocks: [...body.blocks, ...last] };
}

/** A question that has ended: the same card, and in the place of its buttons how it ended. */
export function drawOutcome(card: Card, outcome: Outcome): Drawing {
  const { text, blocks } = drawBody(card, undefined, false);
  const ending = paragraph([
    { text: `${marks[outcome.state]} ${outcome.text}`, most: room.outcome, isBold: true },
  ]);
  return {
    text: `${truncate(escapeText(outcome.text), room.headline)} – ${text}`,
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
      paragraph([{ text: `${sign}${headline}`, most: room.headline, isBold: true }], keyBlockId(key)),
      ...(body ? [paragraph([{ text: body, most: room.notice }])] : []),
      small(describeAsker(asker)),
    ],
    files: isCut(body, room.notice) ? [{ name: "message.md", title: headline, content: body }] : [],
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
  const each = Math.floor(room.prompts / Math.max(1, prompts.length));
  const blocks: KnownBlock[] = [
    paragraph(
      [{ text: headline, most: room.headline, isBold: true }],
      key === undefined ? undefined : keyBlockId(key),
    ),
    small(describeAsker(asker)),
    ...(context ? [quote(context, room.context)] : []),
    ...(subject ? drawSubject(subject) : []),
    ...prompts
      .slice(0, limits.prompts)
      .flatMap((prompt, index) => [
        drawPrompt(prompt, prompts.length > 1 ? index + 1 : undefined, each),
        ...(isInteractive && isForm(card) && prompt.options.length > 0 ? [drawChooser(prompt, index)] : []),
      ]),
    ...(sessionRule ? [small(`“Allow for session” adds: ${formatRule(sessionRule)}`)] : []),
    ...(earlier ? [small(`Last time (${day(earlier.at)}): ${truncate(earlier.answer, room.earlier)}`)] : []),
  ];
  return { text: preview(headline, asker), blocks, files: listFiles(card, each) };
}

/** How it can be answered from here. */
function drawWays(card: Card, isInteractive: boolean): KnownBlock[] {
  if (isInteractive && card.kind !== "choice") return [drawButtons(card)];
  if (isInteractive) return [drawButtons(card), small("Or reply in this message’s thread.")];
  if (card.kind === "choice")
    return [small("Reply in this message’s thread: the words of an option, or your own.")];
  return [
    small(
      "To allow it, answer in the terminal or the viewer: buttons here need an app-level token (`rookery setup slack`).",
    ),
  ];
}

function drawSubject({ toolName, text, hiddenSecrets }: Subject): KnownBlock[] {
  const secrets = `${hiddenSecrets} ${hiddenSecrets === 1 ? "secret" : "secrets"} hidden`;
  const more = `${text.length} characters in all: the whole is in this message’s thread`;
  const notes = [
    toolName,
    ...(hiddenSecrets > 0 ? [secrets] : []),
    ...(isCut(text, room.subject) ? [more] : []),
  ];
  return [preformatted(text, room.subject), small(notes.join(" · "))];
}

function drawPrompt(prompt: Prompt, number: number | undefined, most: number): KnownBlock {
  const title = [number ? `${number}.` : "", prompt.header ?? ""].filter(Boolean).join(" ");
  return paragraph([
    { text: title ? `${truncate(title, 100)}\n` : "", most: 110, isBold: true },
    { text: prompt.text, most },
    { text: listOptions(prompt), most: roomForOptions(most) },
  ]);
}

/** The options in full, where a button may not say it all. */
function listOptions({ options }: Prompt): string {
  return options
    .map(({ label, description }) => `\n• ${label}${description ? ` – ${description}` : ""}`)
    .join("");
}

const roomForOptions = (ofPrompt: number): number => Math.floor((room.options * ofPrompt) / room.prompts);

/** Whatever the card shows only the beginning of. */
function listFiles(card: Card, each: number): Attachment[] {
  const { subject, prompts, context } = card;
  const files: Attachment[] = [];
  if (subject && isCut(subject.text, room.subject))
    files.push({ name: names[subject.format], title: subject.toolName, content: subject.text });
  const isLong =
    isCut(context ?? "", room.context) ||
    prompts.some(
      (prompt) =>
        isCut(prompt.text, each) ||
        isCut(listOptions(prompt), roomForOptions(each)) ||
        prompt.options.length > limits.selectOptions,
    );
  if (isLong) {
    const parts = prompts.map((prompt) => `${prompt.header ?? ""}\n${prompt.text}${listOptions(prompt)}`);
    files.push({
      name: "question.txt",
      title: "The whole question",
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
