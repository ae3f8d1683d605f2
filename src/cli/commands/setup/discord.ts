import { readFileSync } from "node:fs";
import { isDiscordToken } from "../../../config/discord.ts";
import { type DiscordCheck, makeInviteLink } from "../../../protocol/discord.ts";
import { channelEndpoints } from "../../../protocol/endpoints/channels.ts";
import type { PairingOffer } from "../../../protocol/reach.ts";
import { AppError } from "../../../shared/errors.ts";
import { applySettings } from "../../apply-settings.ts";
import { callAsPerson, startForPerson } from "../../call-as-person.ts";
import type { CliContext, Command, CommandInput } from "../../command.ts";
import { readText } from "../../read-flag.ts";
import { describePairing, offerPairing, readConfirmedSetting } from "../../setup-channel.ts";

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
    if (flags.remove) return remove(context);
    const botToken = await readToken(context, flags);
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

/** From the environment, stdin or a prompt; never from the command line, which other users can read. */
async function readToken(context: CliContext, flags: CommandInput["flags"]): Promise<string> {
  let token = flags.stdin ? readFileSync(0, "utf8").trim() : context.environment.ROOKERY_DISCORD_BOT_TOKEN;
  if (!token && context.ask) {
    context.print(
      "Open https://discord.com/developers/applications, create an application, and under Bot press Reset Token.\n" +
        "No privileged intents are needed.\n",
    );
    token = await context.ask("Bot token: ", { isHidden: true });
  }
  if (!token)
    throw new AppError(
      "invalid_argument",
      "There is no bot token: set ROOKERY_DISCORD_BOT_TOKEN, or give it with --stdin. To get one, create an application at https://discord.com/developers/applications.",
    );
  if (!isDiscordToken(token))
    throw new AppError(
      "invalid_argument",
      "The bot token is malformed: it has three parts, joined by dots. The client secret and the public key are something else.",
    );
  return token;
}

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

async function remove(context: CliContext): Promise<number> {
  await applySettings(context, { "discord.apiUrl": null }, (secrets) => {
    secrets.discord = {};
  });
  context.print(
    context.isJson
      ? JSON.stringify({ removed: true })
      : "Discord is off, and the token is deleted from this machine. Delete the application at https://discord.com/developers/applications as well. Paired people: rookery pair --list",
  );
  return 0;
}
