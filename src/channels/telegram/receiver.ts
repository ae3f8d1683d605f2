import type { Card } from "../../domain/ask/card.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import { parseButtonData } from "../card-buttons.ts";
import { readPress } from "../card-keyboard.ts";
import { makeCardCode } from "../card-code.ts";
import type { AnswerHints, Inbox, MessageRef, OpenCard, Receipt, Reply } from "../channel.ts";
import { hasMessage, makeMessageRef } from "../chat-message.ts";
import { readNumbers } from "../read-numbers.ts";
import type { BotApi } from "./bot-api.ts";
import { drawRequest, readRequestCode } from "./draw.ts";
import { drawKeyboard, readButtons } from "./keyboard.ts";
import type { CallbackQuery, Message, Update } from "./updates.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";

interface ReceiverOptions {
  api: BotApi;
  inbox: Inbox;
  log: Log;
  clock: Clock;
  /** Recent cards, open or closed. */
  cards(): readonly Pick<OpenCard, "place" | "card">[];
}

/** Resolves once the update is stored; rejects if it could not be, so that it is read again. */
type HandleUpdate = (update: Update) => Promise<void>;

const hints: AnswerHints = {
  decide: "To allow or deny, use the buttons of the card.",
  several: "Use the buttons of the card, or reply with one number per question, for example: 1 2",
  address: "Reply to the message of a question, or use its buttons.",
};
/** Telegram's limit of the text that answers a press. */
const maxAlert = 200;
const maxSelections = 200;

export function makeReceiver({ api, inbox, log, clock, cards }: ReceiverOptions): HandleUpdate {
  /** Selections of forms by ticket. Quick presses overtake the edits that show them. */
  const selections = new Map<string, number[][]>();

  function receive(
    from: CallbackQuery["from"],
    chat: number,
    reply: Pick<Reply, "id" | "at" | "target" | "content">,
  ): Promise<Receipt> {
    return inbox.receive({
      ...reply,
      channel: "telegram",
      sender: { id: String(from.id), team: null, name: from.first_name, isGuest: false, isBot: from.is_bot },
      room: { id: String(chat), isDirect: true, isShared: false },
      hints,
    });
  }

  /** Responses are best effort: the answer itself is stored already. */
  async function respond(method: string, parameters: object): Promise<boolean> {
    return api.call(method, parameters).then(
      () => true,
      (error: Error) => {
        log.debug("telegram: could not respond", { method, message: error.message });
        return false;
      },
    );
  }

  function say(chat: number, replyTo: number, text: string, extra: object = {}): Promise<boolean> {
    const reply = { message_id: replyTo, allow_sending_without_reply: true };
    return respond("sendMessage", { chat_id: chat, text, reply_parameters: reply, ...extra });
  }

  /** Stops the button's loading indicator. A press that is too old (the daemon was down) is answered by a message. */
  async function answerPress({ id, message }: CallbackQuery, text: string | null): Promise<void> {
    const isShort = text === null || text.length <= maxAlert;
    const alert = text && isShort ? { text, show_alert: true } : {};
    const isShown = await respond("answerCallbackQuery", { callback_query_id: id, ...alert });
    if (text && message && !(isShown && isShort)) await say(message.chat.id, message.message_id, text);
  }

  async function handlePress(query: CallbackQuery): Promise<void> {
    const { id, from, message, data } = query;
    const button = parseButtonData(data);
    const known = button && cards().find(({ card }) => card.ticket === button.ticket);
    const press =
      button &&
      readPress(
        button.action,
        known?.card,
        readButtons(message?.reply_markup),
        selections.get(button.ticket),
      );
    if (!button || !press || message?.chat.type !== "private") return answerPress(query, null);
    if (press.kind === "answer") {
      const target = { ticket: button.ticket };
      const reply = { id: `press:${id}`, at: clock(), target, content: press.content };
      const receipt = await receive(from, message.chat.id, reply);
      selections.delete(button.ticket);
      return answerPress(query, receipt.message);
    }
    if (press.kind === "incomplete") return answerPress(query, press.message);
    await answerPress(query, known ? null : "This card is no longer valid.");
    if (!known) return;
    const { chat, message_id } = message;
    if (press.kind === "write") {
      await say(chat.id, message_id, drawRequest(known.card), { reply_markup: { force_reply: true } });
      return;
    }
    if (press.kind === "toggle") selections.set(button.ticket, press.chosen);
    dropOldest(selections, maxSelections);
    const markup = drawKeyboard(
      known.card,
      press.kind === "arm" ? { armed: press.scope } : { chosen: press.chosen },
    );
    await respond("editMessageReplyMarkup", { chat_id: chat.id, message_id, reply_markup: markup });
  }

  async function handleMessage(message: Message): Promise<void> {
    const { from, chat, message_id: id, text, date } = message;
    // Only private chats count, because others can read a group.
    if (!from || !text || chat.type !== "private") return;
    // The link that setup shows makes Telegram send "/start CODE".
    const said = text.replace(/^\/start\s+/, "").trim();
    const meaning = interpret(message, said);
    const reply = { id: `message:${chat.id}:${id}`, at: date * 1000, ...meaning };
    const receipt = await receive(from, chat.id, reply);
    if (receipt.message) await say(chat.id, id, receipt.message);
  }

  function interpret(message: Message, text: string): Pick<Reply, "target" | "content"> {
    const replied = message.reply_to_message;
    if (!replied) return { target: null, content: { type: "text", text } };
    const found = findCard(message.chat.id, replied);
    const place =
      found?.place ?? makeMessageRef([{ chat: String(message.chat.id), id: String(replied.message_id) }]);
    if (!found) return { target: { place }, content: { type: "text", text } };
    const { card } = found;
    if (found.isRequest && card.kind !== "choice")
      return { target: { ticket: card.ticket }, content: { type: "deny", reason: text } };
    const answers = card.kind === "choice" && card.prompts.length > 1 ? readNumbers(text, card) : undefined;
    if (answers) return { target: { ticket: card.ticket }, content: { type: "answers", answers } };
    return { target: { place }, content: { type: "text", text } };
  }

  /** The card of the message that was replied to, or of our request for a text. */
  function findCard(
    chat: number,
    replied: NonNullable<Message["reply_to_message"]>,
  ): { place: MessageRef; card: Card; isRequest: boolean } | undefined {
    const message = { chat: String(chat), id: String(replied.message_id) };
    const direct = cards().find(({ place }) => hasMessage(place, message));
    if (direct) return { ...direct, isRequest: false };
    const code = replied.from?.is_bot ? readRequestCode(replied.text) : undefined;
    const asked = code && cards().find(({ card }) => makeCardCode(card.ticket) === code);
    return asked ? { ...asked, isRequest: true } : undefined;
  }

  return async ({ message, callback_query }) => {
    if (callback_query) await handlePress(callback_query);
    else if (message) await handleMessage(message);
  };
}
