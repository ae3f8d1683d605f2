import type { OpenCard, MessageRef, Reply } from "../channel.ts";
import { makeCardCode } from "../card-code.ts";
import { readNumbers } from "../read-numbers.ts";
import type { TimelineEvent } from "../../matrix-client/sync-response.ts";
import { asRecord } from "../../shared/json.ts";

type InterpretedReply = Pick<Reply, "target" | "content">;

interface TextReply {
  text: string;
  /** The message that this one replies to, or whose thread it is in. */
  place: MessageRef | null;
}

/** A person's text and the message it replies to. Undefined for any other event. */
export function readTextReply(roomId: string, { type, content }: TimelineEvent): TextReply | undefined {
  const { body, msgtype } = content;
  const relation = asRecord(content["m.relates_to"]);
  // Messages we sent for agents, or for people at the terminal, are not input from Matrix.
  if (type !== "m.room.message" || msgtype !== "m.text" || "com.rookery" in content) return undefined;
  if (typeof body !== "string" || relation.rel_type === "m.replace") return undefined;
  const isFallback = relation.is_falling_back === true;
  const thread = relation.rel_type === "m.thread" ? relation.event_id : undefined;
  const answered = isFallback ? undefined : asRecord(relation["m.in_reply_to"]).event_id;
  const parent = thread ?? answered;
  const text = answered === undefined ? body : body.replace(/^(?:> .*\n)+\n?/, "");
  return { text: text.trim(), place: typeof parent === "string" ? makeMessageRef(roomId, parent) : null };
}

/**
 * A number chooses an option, and a line with a card's code allows or denies; both count as pressing its button. Any
 * other text, including a bare "yes", is left to the domain to interpret.
 */
export function interpretReply({ text, place }: TextReply, cards: readonly OpenCard[]): InterpretedReply {
  const decided = readDecision(text, cards);
  if (decided) return decided;
  const isNumber = /^\d/.test(text);
  const choices = cards.filter(({ card }) => card.kind === "choice");
  // A number outside any thread is unambiguous if only one question is open.
  const alone = place === null && isNumber && choices.length === 1 ? choices[0] : undefined;
  const open = alone ?? cards.find((each) => each.place === place);
  const answers = open?.card.kind === "choice" ? readNumbers(text, open.card) : undefined;
  if (open && answers) return { target: { ticket: open.card.ticket }, content: { type: "answers", answers } };
  return { target: place === null ? null : { place }, content: { type: "text", text } };
}

function readDecision(text: string, cards: readonly OpenCard[]): InterpretedReply | undefined {
  const [, verb = "", code = "", reason = ""] =
    /^(allow(?:\s+session)?|deny)\s+([A-Za-z0-9]{6})(?:\s+([^]*))?$/i.exec(text) ?? [];
  const meant = cards.filter(
    ({ card }) => card.kind !== "choice" && makeCardCode(card.ticket) === code.toUpperCase(),
  );
  const [open, ...others] = meant;
  if (!open || others.length > 0) return undefined;
  const target = { ticket: open.card.ticket };
  if (/^deny/i.test(verb)) return { target, content: { type: "deny", reason: reason.trim() } };
  // An allow with a condition is not a plain allow.
  if (reason.trim() !== "") return undefined;
  return { target, content: { type: "allow", scope: /session/i.test(verb) ? "session" : "once" } };
}

export function makeMessageRef(roomId: string, eventId: string): MessageRef {
  return `${roomId} ${eventId}`;
}

export function parseMessageRef(place: MessageRef): { roomId: string; eventId: string } {
  const [roomId = "", eventId = ""] = place.split(" ");
  return { roomId, eventId };
}
