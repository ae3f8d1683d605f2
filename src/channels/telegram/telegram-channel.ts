import { setTimeout as pause } from "node:timers/promises";
import { backoffMs } from "../../shared/backoff.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { CardFile } from "../card-text.ts";
import { type Channel, ChannelError, type ChannelHealth, type Inbox } from "../channel.ts";
import { type ChatMessage, parseMessageRef } from "../chat-message.ts";
import { makeKnownCards } from "../known-cards.ts";
import { makeSendToPeople } from "../send-to-people.ts";
import { isBadRequest, isTokenError, openBotApi } from "./bot-api.ts";
import { drawCard, drawNotice, drawOutcome } from "./draw.ts";
import { makeReceiver } from "./receiver.ts";
import { allowedUpdates, sentMessage, updates } from "./updates.ts";

export interface TelegramOptions {
  token: string;
  apiUrl: string;
  /** Ids of the paired people, which are also the ids of their private chats with the bot. */
  people(): string[];
  /** The id of the next update to read, kept across restarts. */
  loadPosition(): string | undefined;
  savePosition(position: string): void;
  log: Log;
  clock: Clock;
  /** How long Telegram holds a request for updates; shorter in tests. */
  pollSeconds?: number;
}

const timeoutMs = 10_000;
const backoff = { firstMs: 1_000, maxMs: 60_000 };

/** Sends questions and notices to a private chat with each paired person. Updates are read by long polling. */
export function openTelegramChannel(options: TelegramOptions): Channel {
  const { log, clock, pollSeconds = 50 } = options;
  const api = openBotApi({ ...options, timeoutMs });
  const cards = makeKnownCards();
  const send = makeSendToPeople(options.people, "no one is paired on Telegram: run `rookery pair telegram`");
  const ending = new AbortController();
  let state: ChannelHealth = { state: "connecting", detail: "" };
  let ended: Promise<void> = Promise.resolve();

  async function listen(inbox: Inbox): Promise<void> {
    const { signal } = ending;
    const handle = makeReceiver({ api, inbox, log, clock, cards: cards.list });
    let failures = 0;
    // Telegram holds a request until there is an update, so the first one asks for an immediate answer.
    let seconds = 0;
    while (!signal.aborted) {
      try {
        const position = options.loadPosition();
        const offset = position === undefined ? {} : { offset: Number(position) };
        const found = await api.call(
          "getUpdates",
          { ...offset, timeout: seconds, allowed_updates: allowedUpdates },
          { waitMs: seconds * 1000 },
        );
        state = { state: "ready", detail: "" };
        for (const update of updates.parse(found)) {
          await handle(update);
          // Not the highest id so far: after a quiet week Telegram starts again at a random one.
          options.savePosition(String(update.update_id + 1));
        }
        [failures, seconds] = [0, pollSeconds];
      } catch (error) {
        if (signal.aborted) return;
        [failures, seconds] = [failures + 1, 0];
        const { message } = error as Error;
        const retryAfterMs = error instanceof ChannelError ? error.afterMs : 0;
        if (error instanceof ChannelError)
          state = { state: isTokenError(error) ? "misconfigured" : "failing", detail: message };
        log.warn("telegram: could not read updates", { message });
        const pauseMs = backoffMs(failures, backoff, { retryAfterMs, random: Math.random() });
        await pause(pauseMs, undefined, { signal }).catch(() => undefined); // Aborted: the loop ends.
      }
    }
  }

  async function sendMessage(chat: string, drawing: object): Promise<ChatMessage> {
    const sent = await api.call("sendMessage", { chat_id: chat, ...drawing });
    return { chat, id: String(sentMessage.parse(sent).message_id) };
  }

  async function sendFile(chat: string, file: CardFile): Promise<ChatMessage> {
    const sent = await api.upload("sendDocument", { chat_id: chat, disable_notification: "true" }, file);
    return { chat, id: String(sentMessage.parse(sent).message_id) };
  }

  return {
    name: "telegram",
    canAnswer: true,
    start(inbox) {
      ended = listen(inbox);
    },
    async stop() {
      ending.abort();
      api.stop();
      await ended;
    },
    health: () =>
      options.people().length === 0 && state.state !== "misconfigured"
        ? { state: "off", detail: "No one is paired. Run: rookery pair telegram" }
        : state,
    async post(card, key) {
      const { drawing, file } = drawCard(card);
      const place = await send.all(key, async (chat) => {
        // The file first, so that nobody can approve a text that they cannot read in full.
        if (file) await send.once(`${key} ${chat} file`, () => sendFile(chat, file));
        return sendMessage(chat, drawing);
      });
      cards.add(place, card);
      return place;
    },
    async settle(place, card, outcome) {
      for (const { chat, id } of parseMessageRef(place))
        await api
          .call("editMessageText", { chat_id: chat, message_id: Number(id), ...drawOutcome(card, outcome) })
          .catch((error: ChannelError) => {
            if (!isBadRequest(error)) throw error;
            log.debug("telegram: a card was not edited", { message: error.message });
          });
    },
    notify: (notice, key) => send.all(key, (chat) => sendMessage(chat, drawNotice(notice))),
    watch(open) {
      for (const { place, card } of open) cards.add(place, card);
    },
  };
}
