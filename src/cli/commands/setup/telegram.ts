import { isTelegramToken } from "../../../config/telegram.ts";
import { channelEndpoints } from "../../../protocol/endpoints/channels.ts";
import type { PairingOffer } from "../../../protocol/reach.ts";
import { makeStartLink, type TelegramCheck } from "../../../protocol/telegram.ts";
import { applySettings } from "../../apply-settings.ts";
import { callAsPerson, startForPerson } from "../../call-as-person.ts";
import type { Command } from "../../command.ts";
import { readText } from "../../read-flag.ts";
import {
  describePairing,
  offerPairing,
  readBotToken,
  readConfirmedSetting,
  removeChannel,
} from "../../setup-channel.ts";

const tokenPrompt = {
  variable: "ROOKERY_TELEGRAM_BOT_TOKEN",
  introduction:
    "In Telegram, open https://t.me/BotFather and send /newbot. It asks for a name and gives you a token.\n" +
    "Use a bot of its own: only one program can read a bot's messages.\n",
  source: "send /newbot to https://t.me/BotFather.",
  isValid: isTelegramToken,
  shape: "it looks like 123456:ABC-DEF…",
};

export const setupTelegram: Command = {
  summary: "Receive questions, approvals and notifications on Telegram.",
  usage: "[--stdin] [--api-url URL] [--no-pair] | --remove",
  examples: [
    "rookery setup telegram",
    "ROOKERY_TELEGRAM_BOT_TOKEN=123456:… rookery setup telegram --json",
    "rookery setup telegram --remove",
  ],
  options: {
    stdin: { type: "boolean" },
    "api-url": { type: "string" },
    "no-pair": { type: "boolean" },
    remove: { type: "boolean" },
  },
  optionHelp: {
    stdin: "read the bot token from stdin",
    "api-url": "URL of the Bot API, if you run your own server",
    "no-pair": "do not create a pairing code",
    remove: "delete the token and the settings",
  },
  async run(context, { flags }) {
    if (flags.remove)
      return removeChannel(
        context,
        "telegram",
        ["telegram.apiUrl"],
        "Telegram is off, and the token is deleted from this machine. Delete the bot with @BotFather as well. Paired people: rookery pair --list",
      );
    const botToken = await readBotToken(context, flags, tokenPrompt);
    await startForPerson(context);
    const given = readText(flags["api-url"]);
    const apiUrl = given || (await readConfirmedSetting(context, "telegram.apiUrl"));
    const bot = await callAsPerson(context, channelEndpoints.checkTelegram, {
      body: { botToken, apiUrl },
      timeoutMs: 60_000,
    });
    await applySettings(context, { "telegram.apiUrl": given || undefined }, (secrets) => {
      secrets.telegram = { botToken };
    });
    const pairing = flags["no-pair"] ? null : await offerPairing(context, "telegram");
    const link = pairing && makeStartLink(bot.username, pairing.code);
    context.print(context.isJson ? JSON.stringify({ bot, pairing, link }) : describe(bot, pairing, link));
    return 0;
  },
};

function describe({ username }: TelegramCheck, pairing: PairingOffer | null, link: string | null): string {
  const how = `to @${username} (or open ${link} and press Start)`;
  return [`Telegram works: @${username}.`, ...(pairing ? describePairing(pairing, how) : [])].join("\n");
}
