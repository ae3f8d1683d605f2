import type { Card, Notice, Outcome } from "../../domain/ask/card.ts";
import { formatRule } from "../../domain/ask/format-rule.ts";
import { type CardFile, line, part, type TextLimits, writeCard, writeNotice } from "../card-text.ts";
import { type ActionRow, drawComponents } from "./components.ts";
import { escapeMarkdown, fence } from "./markdown.ts";

/** The fields of a message that Discord's API takes. */
interface Drawing {
  content: string;
  components: ActionRow[];
  flags: number;
  allowed_mentions: { parse: [] };
}

/**
 * A message has at most 2,000 characters, with the backslashes that keep its text from being markup. The second limits
 * fit even if every character needs one.
 */
const maxContent = 2_000;
const limits = {
  usual: { line: 200, part: 900, text: 1_400, options: 30 },
  tight: { line: 100, part: 350, text: 650, options: 12 },
} satisfies Record<string, TextLimits>;
const maxEnding = { part: 250, line: 120 };
const suppressEmbeds = 1 << 2;

export function drawCard(card: Card): { drawing: Drawing; file: CardFile | undefined } {
  const components = drawComponents(card);
  const { content, file } = write(card, explainAnswer(card, components.length > 0));
  return { drawing: draw(content, components), file };
}

/** The card with its outcome in place of the buttons. */
export function drawOutcome(card: Card, outcome: Outcome): Drawing {
  return draw(write(card, `— ${part(outcome.text, maxEnding)}`).content);
}

export function drawNotice(notice: Notice): Drawing {
  return draw(fit((each) => ({ content: escapeMarkdown(writeNotice(notice, each)) })).content);
}

function fit<T extends { content: string }>(write: (within: TextLimits) => T): T {
  const full = write(limits.usual);
  return full.content.length <= maxContent ? full : write(limits.tight);
}

function write(card: Card, ending: string): { content: string; file: CardFile | undefined } {
  return fit((each) => {
    const { text, subject, file } = writeCard(card, each, ending);
    if (!subject) return { content: escapeMarkdown(text), file };
    const end = subject.start + subject.length;
    const parts = [
      escapeMarkdown(text.slice(0, subject.start)),
      fence(text.slice(subject.start, end)),
      escapeMarkdown(text.slice(end)),
    ];
    return { content: parts.join(""), file };
  });
}

function draw(content: string, components: ActionRow[] = []): Drawing {
  return { content, components, flags: suppressEmbeds, allowed_mentions: { parse: [] } };
}

function explainAnswer({ kind, prompts, sessionRule }: Card, hasButtons: boolean): string {
  if (kind !== "choice")
    return sessionRule ? `“Allow for session” adds: ${line(formatRule(sessionRule), maxEnding)}` : "";
  if (hasButtons)
    return prompts.length > 1
      ? "Choose one for each question, then Send."
      : "Choose, or reply to this message with your own words.";
  return prompts.length > 1
    ? `Reply to this message with one number per question (${prompts.length} in total), for example: 1 2`
    : "Reply to this message with a number or your own words.";
}
