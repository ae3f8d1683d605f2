import type { Channel, MessageRef } from "../../src/channels/channel.ts";
import { parseMessageRef } from "../../src/channels/chat-message.ts";
import { type DiscordOptions, openDiscordChannel } from "../../src/channels/discord/discord-channel.ts";
import { systemClock } from "../../src/shared/clock.ts";
import { silentLog } from "../../src/shared/log.ts";
import type { ChannelHarness } from "../conformance/channel-contract.ts";
import {
  ada,
  botToken,
  type BotMessage,
  findLive,
  type LocalDiscord,
  openLocalDiscord,
  unescape,
} from "./local-discord.ts";

interface DiscordHarness extends ChannelHarness {
  discord: LocalDiscord;
  find(place: MessageRef): Promise<BotMessage>;
}

export async function openDiscordHarness(options: Partial<DiscordOptions> = {}): Promise<DiscordHarness> {
  const discord = await openLocalDiscord();
  const opened: Channel[] = [];
  const acts = new Map<string, unknown>();
  let position: string | undefined;

  function open(): Channel {
    const channel = openDiscordChannel({
      token: botToken,
      apiUrl: discord.apiUrl,
      people: () => [ada.id],
      loadPosition: () => position,
      savePosition: (next) => void (position = next),
      log: silentLog,
      clock: systemClock,
      ...options,
    });
    opened.push(channel);
    return channel;
  }

  async function find(place: MessageRef): Promise<BotMessage> {
    const [first] = parseMessageRef(place);
    const message = (await discord.messages()).find(({ id }) => id === first?.id);
    if (!message) throw new Error(`no message at ${place}`);
    return message;
  }

  async function once(actId: string, act: () => Promise<void>): Promise<void> {
    if (acts.has(actId)) return discord.redeliver(acts.get(actId));
    await act();
    acts.set(actId, discord.latest());
  }

  return {
    channel: open(),
    reopen: open,
    discord,
    find,
    messages: async () =>
      (await discord.messages()).map((message) => ({
        text: unescape(message.content),
        files: discord.filesBefore(message),
        canAct: message.buttons.length > 0 || /^Reply .*number/m.test(message.content),
        live: findLive(message),
      })),
    person: {
      press: (place, _card, answer, actId) =>
        once(actId, async () => {
          const message = await find(place);
          if (answer.type === "answers") return discord.press(message, answer.answers[0]?.[0] ?? "");
          if (answer.type === "allow")
            return discord.press(message, answer.scope === "once" ? "Allow once" : "Allow for session");
          await discord.press(message, "Deny with a reason …", { text: answer.reason });
        }),
      say: (place, text, actId) =>
        once(actId, () =>
          discord.say(text, place === null ? {} : { to: parseMessageRef(place)[0]?.id ?? "" }),
        ),
      told: () => discord.told(),
    },
    async fail(how) {
      if (how === "outage") discord.faults.isDown = true;
      if (how === "limited") discord.faults.limitedSeconds = 2;
      if (how === "refused") discord.faults.token = "another";
    },
    async repair() {
      Object.assign(discord.faults, { isDown: false, limitedSeconds: 0, token: botToken });
    },
    async close() {
      await Promise.all(opened.map((channel) => channel.stop()));
      await discord.close();
    },
  };
}
