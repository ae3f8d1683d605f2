import type { Card, Notice, Outcome } from "../../domain/ask/card.ts";
import { makeCardCode } from "../card-code.ts";
import { type CardFile, line, part, type TextLimits, writeCard, writeNotice } from "../card-text.ts";

/** Together they stay far below the 64 KiB limit of an event. */
const limits: TextLimits = { line: 300, part: 4_000, text: 12_000, options: 40 };

export function drawCard(card: Card): { text: string; file: CardFile | undefined } {
  return writeCard(card, limits, explainAnswer(card));
}

/** The card without actions, and with its outcome. */
export function drawOutcome(card: Card, outcome: Outcome): string {
  return writeCard(card, limits, `— ${part(outcome.text, limits)}`).text;
}

export function drawNotice(notice: Notice): string {
  return writeNotice(notice, limits);
}

/** A permission is only decided by a reply that contains the code of its card. */
function explainAnswer({ kind, ticket, prompts, sessionRule }: Card): string {
  if (kind === "choice")
    return prompts.length > 1
      ? `Reply with one number per question (${prompts.length} in total), for example: 1 2`
      : "Reply with a number, or with an answer of your own.";
  const code = makeCardCode(ticket);
  const rule = sessionRule
    ? [
        `allow session ${code}   (for the rest of this session: ${line(`${sessionRule.toolName}(${sessionRule.ruleContent ?? ""})`, limits)})`,
      ]
    : [];
  return [
    "Reply with one of these lines; any other reply has no effect:",
    `allow ${code}`,
    ...rule,
    `deny ${code} your reason`,
  ].join("\n  ");
}
