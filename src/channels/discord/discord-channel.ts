import { hash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { backoffMs } from "../../shared/backoff.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Log } from "../../shared/log.ts";
import type { CardFile } from "../card-text.ts";
import { type Channel, ChannelError, type ChannelHealth, type Inbox } from "../channel.ts";
import { type ChatMessage, parseMessageRef } from "../chat-message.ts";
import { makeKnownCards } from "../known-cards.ts";
import { makeSendToPeople } from "../send-to-people.ts";
import { isRefusedCall, isTokenError, openDiscordApi } from "./api.ts";
import { drawCard, drawNotice, drawOutcome } from "./draw.ts";
import { listenToGateway } from "./gateway.ts";
import { channelId, interaction, isLaterId, makeIdOf, message, type Message, messages } from "./payloads.ts";
import { makeReceiver, type Receiver } from "./receiver.ts";

export interface DiscordOptions {
  token: string;
  apiUrl: string;
  /** Ids of the paired people. */
  people(): string[];
  /** The id of the latest message that was read, kept across restarts. */
  loadPosition(): string | undefined;
  savePosition(position: string): void;
  log: Log;
  clock: Clock;
}

const timeoutMs = 10_000;
const backoff = { firstMs: 1_000, maxMs: 60_000 };
const pageSize = 100;
/** Tolerance, because Discord's clock may be behind ours. */
const skewMs = 60_000;

/** Sends questions and notices to a direct chat with each paired person. Answers arrive through Discord's gateway. */
export function openDiscordChannel(options: DiscordOptions): Channel {
  const { token, log, clock } = options;
  const api = openDiscordApi({ ...options, timeoutMs });
  const cards = makeKnownCards();
  const send = makeSendToPeople(options.people, "no one is paired on Discord: run `rookery pair discord`");
  const chats = new Map<string, string>();
  const ending = new AbortController();
  let state: ChannelHealth = { state: "connecting", detail: "" };
  let ended: Promise<void> = Promise.resolve();

  async function findChat(person: string): Promise<string> {
    const opened = await api.call("POST", "/users/@me/channels", { recipient_id: person });
    const { id } = channelId.parse(opened);
    chats.set(person, id);
    return id;
  }

  const chatOf = async (person: string): Promise<string> => chats.get(person) ?? findChat(person);

  async function read(receiver: Receiver, received: Message): Promise<void> {
    await receiver.message(received);
    const position = options.loadPosition();
    if (position === undefined || isLaterId(received.id, position)) options.savePosition(received.id);
  }

  /** Reads the messages that were sent while there was no connection. */
  async function catchUp(receiver: Receiver): Promise<void> {
    const position = options.loadPosition();
    if (position === undefined) return options.savePosition(makeIdOf(clock() - skewMs));
    const missed: Message[] = [];
    for (const person of options.people())
      try {
        missed.push(...(await readAfter(await chatOf(person), position)));
      } catch (error) {
        if (!isRefusedCall(error)) throw error; // This person left, or blocked the bot.
      }
    for (const each of missed.toSorted((a, b) => (isLaterId(a.id, b.id) ? 1 : -1)))
      await read(receiver, each);
  }

  async function readAfter(chat: string, position: string): Promise<Message[]> {
    const path = `/channels/${chat}/messages?limit=${pageSize}&after=${position}`;
    const page = messages.parse(await api.call("GET", path));
    const latest = page.reduce((id, each) => (isLaterId(each.id, id) ? each.id : id), position);
    return page.length < pageSize ? page : [...page, ...(await readAfter(chat, latest))];
  }

  /** One connection. Events are handled in order; a message that could not be stored ends it, to be read again. */
  async function connect(receiver: Receiver, onReady: () => void): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([ending.signal, lost.signal]);
    let queue: Promise<void> = Promise.resolve();
    let failure: unknown;
    const enqueue = (act: () => Promise<void>): void => {
      queue = queue
        .then(() => (signal.aborted ? undefined : act()))
        .catch((error: unknown) => {
          failure ??= error;
          lost.abort();
        });
    };
    try {
      await listenToGateway({
        api,
        token,
        signal,
        onReady: () =>
          enqueue(async () => {
            await catchUp(receiver);
            state = { state: "ready", detail: "" };
            onReady();
          }),
        onEvent(name, data) {
          if (name === "MESSAGE_CREATE") {
            const { data: received } = message.safeParse(data);
            if (received) enqueue(() => read(receiver, received));
          }
          if (name !== "INTERACTION_CREATE") return;
          const { data: pressed } = interaction.safeParse(data);
          // Not in the queue: Discord waits three seconds for the answer to a press.
          if (pressed)
            void receiver.press(pressed).catch((error: Error) => {
              log.warn("discord: a press was not stored", { message: error.message });
            });
        },
      });
    } catch (error) {
      await queue;
      throw failure ?? error;
    }
  }

  async function listen(inbox: Inbox): Promise<void> {
    const { signal } = ending;
    const receiver = makeReceiver({ api, inbox, log, clock, cards: cards.list });
    let failures = 0;
    while (!signal.aborted)
      await connect(receiver, () => (failures = 0)).catch(async (error: Error) => {
        if (signal.aborted) return;
        failures += 1;
        const retryAfterMs = error instanceof ChannelError ? error.afterMs : 0;
        state = { state: isTokenError(error) ? "misconfigured" : "failing", detail: error.message };
        log.warn("discord: the connection ended", { message: error.message });
        const pauseMs = backoffMs(failures, backoff, { retryAfterMs, random: Math.random() });
        await pause(pauseMs, undefined, { signal }).catch(() => undefined); // Aborted: the loop ends.
      });
  }

  /** Discord drops a message with the nonce of an earlier one for some minutes. */
  async function sendMessage(chat: string, key: string, body: object, file?: CardFile): Promise<ChatMessage> {
    const nonce = hash("sha256", key).slice(0, 25);
    const fields = { ...body, nonce, enforce_nonce: true };
    const sent = await api.call("POST", `/channels/${chat}/messages`, fields, file);
    return { chat, id: channelId.parse(sent).id };
  }

  return {
    name: "discord",
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
        ? { state: "off", detail: "No one is paired. Run: rookery pair discord" }
        : state,
    async post(card, key) {
      const { drawing, file } = drawCard(card);
      const place = await send.all(key, async (person) => {
        const chat = await chatOf(person);
        // The file first, so that nobody can approve a text that they cannot read in full.
        const fileKey = `${key} ${person} file`;
        if (file) await send.once(fileKey, () => sendMessage(chat, fileKey, {}, file));
        return sendMessage(chat, `${key} ${person}`, drawing);
      });
      cards.add(place, card);
      return place;
    },
    async settle(place, card, outcome) {
      for (const { chat, id } of parseMessageRef(place))
        await api
          .call("PATCH", `/channels/${chat}/messages/${id}`, drawOutcome(card, outcome))
          .catch((error: ChannelError) => {
            if (!isRefusedCall(error)) throw error;
            log.debug("discord: a card was not edited", { message: error.message });
          });
    },
    notify: (notice, key) =>
      send.all(key, async (person) =>
        sendMessage(await chatOf(person), `${key} ${person}`, drawNotice(notice)),
      ),
    watch(open) {
      for (const { place, card } of open) cards.add(place, card);
    },
  };
}
