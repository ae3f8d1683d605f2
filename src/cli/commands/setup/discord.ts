import { isDiscordToken } from "../../../config/discord.ts";
import { type DiscordCheck, makeInviteLink } from "../../../protocol/discord.ts";
import { channelEndpoints } from "../../../protocol/endpoints/channels.ts";
import type { PairingOffer } from "../../../protocol/reach.ts";
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
  variable: "ROOKERY_DISCORD_BOT_TOKEN",
  introduction:
    "Open https://discord.com/developers/applications, create an application, and under Bot press Reset Token.\n" +
    "No privileged intents are needed.\n",
  source: "create an application at https://discord.com/developers/applications.",
  isValid: isDiscordToken,
  shape: "it has three parts, joined by dots. The client secret and the public key are something else.",
};

export const setupDiscord: Command = {
  summary: "Receive questions, approvals and notifications on Discord.",
  usage: "[--stdin] [--api-url URL] [--no-pair] | --remove",
  examples: [
    "rookery setup discord",
    "ROOKERY_DISCORD_BOT_TOKEN=… rookery setup discord --json",
    "rookery setup discord --remove",
  ],
  options: {
    stdin: { type: "boolean" },
    "api-url": { type: "string" },
    "no-pair": { type: "boolean" },
    remove: { type: "boolean" },
  },
  optionHelp: {
    stdin: "read the bot token from stdin",
    "api-url": "URL of a service with Discord's API",
    "no-pair": "do not create a pairing code",
    remove: "delete the token and the settings",
  },
  async run(context, { flags }) {
    if (flags.remove)
      return removeChannel(
        context,
        "discord",
        ["discord.apiUrl"],
        "Discord is off, and the token is deleted from this machine. Delete the application at https://discord.com/developers/applications as well. Paired people: rookery pair --list",
      );
    const botToken = await readBotToken(context, flags, tokenPrompt);
    await startForPerson(context);
    const given = readText(flags["api-url"]);
    const apiUrl = given || (await readConfirmedSetting(context, "discord.apiUrl"));
    const bot = await callAsPerson(context, channelEndpoints.checkDiscord, {
      body: { botToken, apiUrl },
      timeoutMs: 60_000,
    });
    await applySettings(context, { "discord.apiUrl": given || undefined }, (secrets) => {
      secrets.discord = { botToken };
    });
    const pairing = flags["no-pair"] ? null : await offerPairing(context, "discord");
    const invite = makeInviteLink(bot.applicationId);
    context.print(context.isJson ? JSON.stringify({ bot, pairing, invite }) : describe(bot, pairing, invite));
    return 0;
  },
};

function describe({ name }: DiscordCheck, pairing: PairingOffer | null, invite: string): string {
  return [
    `Discord works: ${name}.`,
    "Add the bot to a server that you are in, otherwise it cannot write to you:",
    `    ${invite}`,
    ...(pairing
      ? describePairing(pairing, `to ${name} as a direct message (click its name in that server)`)
      : []),
  ].join("\n");
}
