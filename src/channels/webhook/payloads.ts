import * as z from "zod";
import type { Card, Notice, Outcome } from "../../domain/ask/card.ts";
import { formatRule } from "../../domain/ask/format-rule.ts";
import { stripInvisible } from "../../shared/defuse.ts";
import type { MessageRef, Reply } from "../channel.ts";
import { showInvisible } from "../show-invisible.ts";

/** The event of an open question. `message` is its id for replies; `ticket` decides, once. */
export function describeCard(card: Card, message: MessageRef): object {
  const { questionId, ticket, kind, headline, asker, context, prompts, subject, sessionRule, earlier } = card;
  const { danger, claimedBy } = card;
  const shown = subject && {
    tool: stripInvisible(subject.toolName),
    format: subject.format,
    text: showInvisible(subject.text),
    hiddenSecrets: subject.hiddenSecrets,
  };
  return {
    question: questionId,
    message,
    ticket,
    kind,
    ...clean({
      headline,
      asker,
      context,
      prompts,
      danger,
      claimedBy,
      earlier,
      sessionRule: sessionRule && formatRule(sessionRule),
    }),
    subject: shown,
  };
}

export function describeOutcome(card: Card, message: MessageRef, { state, text }: Outcome): object {
  const { questionId, headline, asker } = card;
  return { question: questionId, message, ...clean({ headline, asker, state, outcome: text }) };
}

export function describeNotice({ kind, level, headline, body, asker }: Notice): object {
  return clean({ kind, level, headline, body, asker });
}

/** All texts without invisible characters. */
function clean<T>(value: T): T {
  if (typeof value === "string") return stripInvisible(value) as T;
  if (Array.isArray(value)) return value.map(clean) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, clean(each)])) as T;
}

const sender = z.strictObject({ id: z.string().min(1).max(200), name: z.string().max(200).optional() });
const ticket = z.string().min(1).max(100);

/** A person's answer or message, as the receiver passes it on. */
export const inbound = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("answer"),
    data: z.union([
      z.strictObject({
        sender,
        ticket,
        answers: z
          .array(z.array(z.string().max(20_000)).max(50))
          .min(1)
          .max(20),
      }),
      z.strictObject({ sender, ticket, allow: z.enum(["once", "session"]) }),
      z.strictObject({ sender, ticket, deny: z.string().max(20_000) }),
    ]),
  }),
  z.strictObject({
    type: z.literal("message"),
    data: z.strictObject({
      sender,
      text: z.string().min(1).max(20_000),
      /** The id of the question's event; without it, the text can only be a pairing code. */
      replyTo: z.string().max(200).optional(),
    }),
  }),
]);

export function readInbound({ type, data }: z.infer<typeof inbound>): Pick<Reply, "target" | "content"> {
  if (type === "message") {
    const target = data.replyTo === undefined ? null : { place: data.replyTo };
    return { target, content: { type: "text", text: data.text } };
  }
  const target = { ticket: data.ticket };
  if ("allow" in data) return { target, content: { type: "allow", scope: data.allow } };
  if ("deny" in data) return { target, content: { type: "deny", reason: data.deny } };
  return { target, content: { type: "answers", answers: data.answers } };
}
