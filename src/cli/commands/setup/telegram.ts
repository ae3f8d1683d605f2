import { readFileSync } from "node:fs";
import { isTelegramToken } from "../../../config/telegram.ts";
import { channelEndpoints } from "../../../protocol/endpoints/channels.ts";
import type { PairingOffer } from "../../../protocol/reach.ts";
import { makeStartLink, type TelegramCheck } from "../../../protocol/telegram.ts";
import { AppError } from "../../../shared/errors.ts";
import { applySettings } from "../../apply-settings.ts";
import { callAsPerson, startForPerson } from "../../call-as-person.ts";
import type { CliContext, Command, CommandInput } from "../../command.ts";
import { readText } from "../../read-flag.ts";
import { describePairing, offerPairing, readConfirmedSetting } from "../../setup-channel.ts";

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
    if (flags.remove) return remove(context);
    const botToken = await readToken(context, flags);
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

/** From the environment, stdin or a prompt; never from the command line, which other users can read. */
async function readToken(context: CliContext, flags: CommandInput["flags"]): Promise<string> {
  let token = flags.stdin ? readFileSync(0, "utf8").trim() : context.environment.ROOKERY_TELEGRAM_BOT_TOKEN;
  if (!token && context.ask) {
    context.print(
      "In Telegram, open https://t.me/BotFather and send /newbot. It asks for a name and gives you a token.\n" +
        "Use a bot of its own: only one program can read a bot's messages.\n",
    );
    token = await context.ask("Bot token: ", { isHidden: true });
  }
  if (!token)
    throw new AppError(
      "invalid_argument",
      "There is no bot token: set ROOKERY_TELEGRAM_BOT_TOKEN, or give it with --stdin. To get one, send /newbot to https://t.me/BotFather.",
    );
  if (!isTelegramToken(token))
    throw new AppError("invalid_argument", "The bot token is malformed: it looks like 123456:ABC-DEF…");
  return token;
}

function describe({ username }: TelegramCheck, pairing: PairingOffer | null, link: string | null): string {
  const how = `to @${username} (or open ${link} and press Start)`;
  return [`Telegram works: @${username}.`, ...(pairing ? describePairing(pairing, how) : [])].join("\n");
}

async function remove(context: CliContext): Promise<number> {
  await applySettings(context, { "telegram.apiUrl": null }, (secrets) => {
    secrets.telegram = {};
  });
  context.print(
    context.isJson
      ? JSON.stringify({ removed: true })
      : "Telegram is off, and the token is deleted from this machine. Delete the bot with @BotFather as well. Paired people: rookery pair --list",
  );
  return 0;
}
