import { readPairingCode } from "../../domain/access/pairing.ts";
import { parseButtonData, readButton } from "../card-buttons.ts";
import { makeCardCode } from "../card-code.ts";
import type { OpenCard, Reply } from "../channel.ts";
import { readNumbers } from "../read-numbers.ts";

/**
 * Reads a message on the answer topic, where anyone who knows its name can write. A button's message has the card's ticket;
 * a typed one has its short code, which can answer a choice or deny, but never allow. A dangerous command cannot be allowed
 * here. All other messages are ignored.
 */
export function readMessage(
  message: string,
  cards: readonly Pick<OpenCard, "place" | "card">[],
): Pick<Reply, "target" | "content"> | undefined {
  const text = message.trim();
  const button = parseButtonData(text);
  const pressed = button && cards.find(({ card }) => card.ticket === button.ticket);
  const content = button && readButton(button.action, pressed?.card);
  if (content?.type === "allow" && pressed?.card.danger) return undefined;
  if (button && content) return { target: { ticket: button.ticket }, content };
  const [, deny, code = "", said = ""] = /^(deny\s+)?([A-Za-z0-9]{6})\s+([^]+)$/i.exec(text) ?? [];
  const meant = cards.find(({ card }) => makeCardCode(card.ticket) === code.toUpperCase());
  if (!meant) {
    if (readPairingCode(text) === undefined) return undefined;
    return { target: null, content: { type: "text", text } };
  }
  const { card, place } = meant;
  const target = { ticket: card.ticket };
  if (card.kind !== "choice")
    return deny ? { target, content: { type: "deny", reason: said.trim() } } : undefined;
  const answers = readNumbers(said.trim(), card);
  if (answers) return { target, content: { type: "answers", answers } };
  return { target: { place }, content: { type: "text", text: said.trim() } };
}
