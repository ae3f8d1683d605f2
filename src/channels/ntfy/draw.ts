import type { Card, Notice, Outcome } from "../../domain/ask/card.ts";
import { formatRule } from "../../domain/ask/format-rule.ts";
import { makeButtonData, makePick } from "../card-buttons.ts";
import { makeCardCode } from "../card-code.ts";
import { type CardFile, line, part, type TextLimits, writeCard, writeNotice } from "../card-text.ts";
import type { Action, Notification } from "./server.ts";

type Drawing = Omit<Notification, "topic" | "sequence_id">;

/** Where the phone posts answers, and whether it may approve. */
interface AnswerRoute {
  answerUrl: string;
  approvals: boolean;
}

/** Larger messages become attachments. */
const maxBytes = 4_000;
const limits: TextLimits = { line: 150, part: 1_800, text: 3_000, options: 20 };
const maxActions = 3;
const elsewhere = "Answer it in the terminal or the viewer.";

export function drawCard(card: Card, route: AnswerRoute): { drawing: Drawing; file: CardFile | undefined } {
  const { title, isHidden } = head(card, route);
  if (isHidden) return { drawing: { title, message: hide(card, elsewhere), priority: 4 }, file: undefined };
  const { text, file } = fit((scaled) => writeCard(card, scaled, explainAnswer(card)));
  const actions = listActions(card, route);
  const click = card.kind === "choice" ? { click: route.answerUrl } : {};
  return { drawing: { title, message: text, priority: 4, actions, ...click }, file };
}

/** A card that cannot be answered here, because its full text could not be sent. */
export function drawUnanswerable(card: Card): Drawing {
  const { text } = fit((scaled) => writeCard(card, scaled, `The full text could not be sent. ${elsewhere}`));
  return { title: line(card.headline, limits), message: text, priority: 4 };
}

/** The card without actions, and with its outcome. */
export function drawOutcome(card: Card, outcome: Outcome, route: AnswerRoute): Drawing {
  const { title, isHidden } = head(card, route);
  const ending = `— ${part(outcome.text, { part: 500 })}`;
  const message = isHidden ? hide(card, ending) : fit((scaled) => writeCard(card, scaled, ending)).text;
  return { title, message, priority: 2 };
}

export function drawNotice(notice: Notice): Drawing {
  const { text } = fit((scaled) => ({ text: writeNotice(notice, scaled) }));
  return { title: line(notice.headline, limits), message: text, priority: notice.level === "error" ? 4 : 3 };
}

/** Without approvals, a command or a plan stays on this machine. */
function head(card: Card, { approvals }: AnswerRoute): { title: string; isHidden: boolean } {
  return { title: line(card.headline, limits), isHidden: card.kind !== "choice" && !approvals };
}

function hide({ asker }: Card, ending: string): string {
  return `${line(`${asker.project} · ${asker.agent}`, limits)}\n\n${ending}`;
}

/** Lowers the limits until the text fits into `maxBytes`. */
function fit<T extends { text: string }>(write: (limits: TextLimits) => T): T {
  const scale = (factor: number): TextLimits => ({
    ...limits,
    line: limits.line * factor,
    part: limits.part * factor,
    text: limits.text * factor,
  });
  for (const factor of [1, 0.6])
    if (Buffer.byteLength(write(scale(factor)).text) <= maxBytes) return write(scale(factor));
  return write(scale(0.3));
}

function listActions(card: Card, { answerUrl }: AnswerRoute): Action[] {
  const { kind, prompts, ticket, sessionRule, danger } = card;
  const button = (label: string, action: string): Action => ({
    action: "http",
    label,
    url: answerUrl,
    method: "POST",
    body: makeButtonData(action, ticket),
    clear: true,
  });
  if (kind === "plan") return [button("Approve", "once"), button("Keep planning", "deny")];
  // A press cannot be confirmed on the phone.
  if (danger) return [button("Deny", "deny")];
  if (kind === "permission")
    return [
      button("Allow once", "once"),
      ...(sessionRule ? [button("Allow for session", "session")] : []),
      button("Deny", "deny"),
    ];
  const [only] = prompts;
  if (!only || prompts.length > 1 || only.isMulti || only.options.length > maxActions) return [];
  return only.options.map(({ label }, index) => button(line(label, { line: 40 }), makePick(0, index)));
}

function explainAnswer({ kind, ticket, prompts, sessionRule, danger }: Card): string {
  const code = makeCardCode(ticket);
  if (kind !== "choice") {
    const rule = danger
      ? "Allow it in the terminal or the viewer.\n"
      : sessionRule
        ? `“Allow for session” adds: ${line(formatRule(sessionRule), { line: 200 })}\n`
        : "";
    return `${rule}To deny with a reason, send to the answer topic: deny ${code} your reason`;
  }
  const example = prompts.length > 1 ? "1 2" : "your answer, or its number";
  return `To answer in your own words, tap this and send: ${code} ${example}`;
}
