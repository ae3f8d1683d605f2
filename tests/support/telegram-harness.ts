import type { Channel, MessageRef } from "../../src/channels/channel.ts";
import { openTelegramChannel, type TelegramOptions } from "../../src/channels/telegram/telegram-channel.ts";
import { parseMessageRef } from "../../src/channels/chat-message.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { silentLog } from "../../src/shared/log.ts";
import type { ChannelHarness } from "../conformance/channel-contract.ts";
import {
  ada,
  botToken,
  type BotMessage,
  findMessage,
  type LocalTelegram,
  openLocalTelegram,
} from "./local-telegram.ts";

interface TelegramHarness extends ChannelHarness {
  telegram: LocalTelegram;
  find(place: MessageRef): BotMessage;
  position(): string | undefined;
}

/** Our channel, the proxy, the emulator. */
export async function openTelegramHarness(options: Partial<TelegramOptions> = {}): Promise<TelegramHarness> {
  const telegram = await openLocalTelegram();
  const opened: Channel[] = [];
  const acts = new Map<string, unknown>();
  let position: string | undefined;

  function open(): Channel {
    const channel = openTelegramChannel({
      token: botToken,
      apiUrl: telegram.apiUrl,
      people: () => [String(ada.id)],
      loadPosition: () => position,
      savePosition: (next) => void (position = next),
      log: silentLog,
      clock: systemClock,
      ...options,
    });
    opened.push(channel);
    return channel;
  }

  function find(place: MessageRef): BotMessage {
    const [first] = parseMessageRef(place);
    const message = telegram
      .messages()
      .find(({ id, chat }) => String(id) === first?.id && chat === first.chat);
    if (!message) throw new Error(`no message at ${place}`);
    return message;
  }

  async function once(actId: string, act: () => Promise<void>): Promise<void> {
    if (acts.has(actId)) return telegram.redeliver(acts.get(actId));
    await act();
    acts.set(actId, telegram.latest());
  }

  return {
    channel: open(),
    reopen: open,
    telegram,
    find,
    position: () => position,
    messages: async () =>
      telegram
        .messages()
        .filter(({ replyTo }) => replyTo === undefined)
        .map((message) => ({
          text: message.text,
          files: telegram.filesBefore(message.id, message.chat),
          canAct: message.keyboard.length > 0 || /^Reply .*number/m.test(message.text),
          // Plain text and preformatted text only: no parse mode, links or mentions.
          live: [
            ...(message.parseMode === undefined ? [] : [message.parseMode]),
            ...message.entities.filter(({ type }) => type !== "pre").map(({ type }) => type),
          ],
        })),
    person: {
      press: (place, _card, answer, actId) =>
        once(actId, async () => {
          const message = find(place);
          if (answer.type === "answers") return telegram.press(message, answer.answers[0]?.[0] ?? "");
          if (answer.type === "allow")
            return telegram.press(message, answer.scope === "once" ? "Allow once" : "Allow for session");
          await telegram.press(message, "Deny with a reason …");
          const request = await findMessage(
            telegram,
            ({ isRequest, replyTo }) => isRequest && replyTo === message.id,
          );
          await telegram.say(answer.reason, { to: request.id });
        }),
      say: (place, text, actId) =>
        once(actId, () =>
          telegram.say(text, place === null ? {} : { to: Number(parseMessageRef(place)[0]?.id) }),
        ),
      told: async () => [
        ...telegram.alerts,
        ...telegram
          .messages()
          .filter(({ replyTo }) => replyTo !== undefined)
          .map(({ text }) => text),
      ],
    },
    async fail(how) {
      if (how === "outage") telegram.faults.isDown = true;
      if (how === "limited") telegram.faults.limitedSeconds = 2;
      if (how === "refused") telegram.faults.token = "654321:another";
    },
    async repair() {
      Object.assign(telegram.faults, { isDown: false, limitedSeconds: 0, token: botToken });
    },
    async close() {
      await Promise.all(opened.map((channel) => channel.stop()));
      await telegram.close();
    },
  };
}
