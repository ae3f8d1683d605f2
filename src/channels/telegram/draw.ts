import type { Card, Notice, Outcome } from "../../domain/ask/card.ts";
import { formatRule } from "../../domain/ask/format-rule.ts";
import { makeCardCode } from "../card-code.ts";
import { type CardFile, line, part, type TextLimits, writeCard, writeNotice } from "../card-text.ts";
import { drawKeyboard } from "./keyboard.ts";
import type { Keyboard } from "./updates.ts";

/** The parameters of `sendMessage` and `editMessageText`. There is no parse mode: the text is never markup. */
interface Drawing {
  text: string;
  entities: { type: "pre"; offset: number; length: number }[];
  link_preview_options: { is_disabled: true };
  reply_markup: Keyboard;
}

/** A message has at most 4,096 characters. */
const limits: TextLimits = { line: 200, part: 2_000, text: 3_300, options: 40 };
const maxEnding = { part: 600, line: 200 };
const noKeyboard: Keyboard = { inline_keyboard: [] };

export function drawCard(card: Card): { drawing: Drawing; file: CardFile | undefined } {
  const { text, subject, file } = writeCard(card, limits, explainAnswer(card));
  return { drawing: draw(text, subject, drawKeyboard(card)), file };
}

/** The card with its outcome in place of the buttons. */
export function drawOutcome(card: Card, outcome: Outcome): Drawing {
  const { text, subject } = writeCard(card, limits, `— ${part(outcome.text, maxEnding)}`);
  return draw(text, subject, noKeyboard);
}

export function drawNotice(notice: Notice): Drawing {
  return draw(writeNotice(notice, limits), undefined, noKeyboard);
}

/** Text marked as preformatted is shown literally: no links, mentions or commands. */
function draw(
  text: string,
  subject: { start: number; length: number } | undefined,
  keyboard: Keyboard,
): Drawing {
  return {
    text,
    entities: subject ? [{ type: "pre", offset: subject.start, length: subject.length }] : [],
    link_preview_options: { is_disabled: true },
    reply_markup: keyboard,
  };
}

function explainAnswer(card: Card): string {
  const { kind, prompts, sessionRule } = card;
  if (kind !== "choice")
    return sessionRule ? `“Allow for session” adds: ${line(formatRule(sessionRule), maxEnding)}` : "";
  if (drawKeyboard(card).inline_keyboard.length > 0)
    return prompts.length > 1
      ? "Choose one for each question, then Send."
      : "Choose, or reply to this message with your own words.";
  return prompts.length > 1
    ? `Reply with one number per question (${prompts.length} in total), for example: 1 2`
    : "Reply to this message with a number or your own words.";
}

/** Asks for a text. The code identifies the card, even after a restart. */
export function drawRequest({ kind, ticket }: Card): string {
  const code = makeCardCode(ticket);
  return kind === "choice"
    ? `Write your answer as a reply to this message (${code}).`
    : `Write the reason as a reply to this message (${code}).`;
}

/** The code in a request that we sent. */
export function readRequestCode(text: string | undefined): string | undefined {
  return /^Write (?:your answer|the reason) as a reply to this message \(([A-Z0-9]{6})\)\.$/.exec(
    text ?? "",
  )?.[1];
}
