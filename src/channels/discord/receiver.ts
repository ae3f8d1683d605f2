import type { Card } from "../../domain/ask/card.ts";
import type { Clock } from "../../shared/clock.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";
import type { Log } from "../../shared/log.ts";
import { makeButtonData, parseButtonData } from "../card-buttons.ts";
import { readPress } from "../card-keyboard.ts";
import type { AnswerHints, Inbox, OpenCard, Receipt, Reply } from "../channel.ts";
import { hasMessage, makeMessageRef } from "../chat-message.ts";
import { readNumbers } from "../read-numbers.ts";
import type { DiscordApi } from "./api.ts";
import { drawComponents, drawForm, readButtons, readForm } from "./components.ts";
import { escapeMarkdown } from "./markdown.ts";
import { type Interaction, interactionTypes, type Message } from "./payloads.ts";

interface ReceiverOptions {
  api: DiscordApi;
  inbox: Inbox;
  log: Log;
  clock: Clock;
  /** Recent cards, open or closed. */
  cards(): readonly Pick<OpenCard, "place" | "card">[];
}

export interface Receiver {
  /** Rejects if the press could not be stored; Discord then shows that it failed. */
  press(interaction: Interaction): Promise<void>;
  /** Rejects if the message could not be stored, so that it is read again. */
  message(message: Message): Promise<void>;
}

const hints: AnswerHints = {
  decide: "To allow or deny, use the buttons of the card.",
  several: "Use the buttons of the card, or reply with one number per question, for example: 1 2",
  address: "Reply to the message of a question, or use its buttons.",
};
const responses = { message: 4, acknowledge: 6, update: 7, form: 9 };
/** Shown to the person who pressed only. */
const ephemeral = 1 << 6;
const maxContent = 2_000;
const maxSelections = 200;

export function makeReceiver({ api, inbox, log, clock, cards }: ReceiverOptions): Receiver {
  /** Selections of forms by ticket. Quick presses overtake the updates that show them. */
  const selections = new Map<string, number[][]>();

  function receive(
    { id, username, bot }: Message["author"],
    chat: string,
    reply: Pick<Reply, "id" | "at" | "target" | "content">,
  ): Promise<Receipt> {
    return inbox.receive({
      ...reply,
      channel: "discord",
      sender: { id, team: null, name: username, isGuest: false, isBot: bot },
      room: { id: chat, isDirect: true, isShared: false },
      hints,
    });
  }

  /** Responses are best effort: the answer itself is stored already. */
  async function respond(path: string, body: object): Promise<void> {
    await api.call("POST", path, body).catch((error: Error) => {
      log.debug("discord: could not respond", { message: error.message });
    });
  }

  const answer = ({ id, token }: Interaction, type: number, data?: object): Promise<void> =>
    respond(`/interactions/${id}/${token}/callback`, { type, ...(data ? { data } : {}) });

  const tell = (interaction: Interaction, text: string | null): Promise<void> =>
    text === null
      ? answer(interaction, responses.acknowledge)
      : answer(interaction, responses.message, { ...makeText(text), flags: ephemeral });

  async function handlePress(interaction: Interaction): Promise<void> {
    const { id, type, user, guild_id, channel_id, message, data } = interaction;
    const button = parseButtonData(data.custom_id);
    // Only direct messages count, because others can read a server.
    if (!button || !user || guild_id) return;
    const known = cards().find(({ card }) => card.ticket === button.ticket);
    const target = { ticket: button.ticket };
    if (type === interactionTypes.form) {
      const text = readForm(data.components);
      const content: Reply["content"] =
        known && known.card.kind !== "choice" ? { type: "deny", reason: text } : { type: "text", text };
      const place = known?.place ?? makeMessageRef([{ chat: channel_id, id: message?.id ?? "" }]);
      const where = content.type === "text" ? { place } : target;
      const receipt = await receive(user, channel_id, {
        id: `press:${id}`,
        at: clock(),
        target: where,
        content,
      });
      return tell(interaction, receipt.message);
    }
    if (type !== interactionTypes.press) return;
    const press = readPress(
      button.action,
      known?.card,
      readButtons(message?.components),
      selections.get(button.ticket),
    );
    if (!press) return;
    if (press.kind === "answer") {
      const reply = { id: `press:${id}`, at: clock(), target, content: press.content };
      const receipt = await receive(user, channel_id, reply);
      selections.delete(button.ticket);
      return tell(interaction, receipt.message);
    }
    if (press.kind === "incomplete") return tell(interaction, press.message);
    if (!known) return tell(interaction, "This card is no longer valid.");
    const { card } = known;
    if (press.kind === "write")
      return answer(interaction, responses.form, drawForm(card, makeButtonData("write", card.ticket)));
    if (press.kind === "toggle") selections.set(button.ticket, press.chosen);
    dropOldest(selections, maxSelections);
    const state = press.kind === "arm" ? { armed: press.scope } : { chosen: press.chosen };
    return answer(interaction, responses.update, { components: drawComponents(card, state) });
  }

  function interpret(message: Message): Pick<Reply, "target" | "content"> {
    const text = message.content.trim();
    const id = message.message_reference?.message_id;
    if (!id) return { target: null, content: { type: "text", text } };
    const replied = { chat: message.channel_id, id };
    const found = cards().find(({ place }) => hasMessage(place, replied));
    const answers = found && isOfSeveral(found.card) ? readNumbers(text, found.card) : undefined;
    if (found && answers)
      return { target: { ticket: found.card.ticket }, content: { type: "answers", answers } };
    return { target: { place: found?.place ?? makeMessageRef([replied]) }, content: { type: "text", text } };
  }

  return {
    press: handlePress,
    async message(message) {
      const { id, channel_id, guild_id, author, content, timestamp } = message;
      if (guild_id || author.bot || content.trim() === "") return;
      const at = Date.parse(timestamp) || clock();
      const reply = { id: `message:${channel_id}:${id}`, at, ...interpret(message) };
      const receipt = await receive(author, channel_id, reply);
      if (!receipt.message) return;
      const to = { message_id: id, fail_if_not_exists: false };
      await respond(`/channels/${channel_id}/messages`, {
        ...makeText(receipt.message),
        message_reference: to,
      });
    },
  };
}

const isOfSeveral = ({ kind, prompts }: Card): boolean => kind === "choice" && prompts.length > 1;

function makeText(text: string): object {
  return { content: escapeMarkdown(text).slice(0, maxContent), allowed_mentions: { parse: [] } };
}
