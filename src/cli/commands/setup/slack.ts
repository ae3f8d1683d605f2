import { readFileSync } from "node:fs";
import { callEndpoint } from "../../../client/request.ts";
import { checkTokenShape } from "../../../config/slack.ts";
import { channelEndpoints } from "../../../protocol/endpoints/channels.ts";
import type { PairingOffer } from "../../../protocol/reach.ts";
import { makeManifestLink, type SlackCheck, slackManifest } from "../../../protocol/slack.ts";
import { AppError } from "../../../shared/errors.ts";
import { applySettings } from "../../apply-settings.ts";
import type { CliContext, Command, CommandInput } from "../../command.ts";
import { readText } from "../../read-flag.ts";
import {
  describePairing,
  offerPairing,
  readConfirmedSetting,
  removeChannel,
  sendTest,
} from "../../setup-channel.ts";
import { startInstalledDaemon } from "../../start-daemon.ts";

interface Tokens {
  botToken: string;
  appToken: string | undefined;
}

export const setupSlack: Command = {
  summary: "Receive questions, approvals and notifications on Slack.",
  usage:
    "[--user NAME] [--channel ID] [--stdin] [--api-url URL] [--no-test] [--no-pair] | --manifest | --remove",
  examples: [
    "rookery setup slack",
    "rookery setup slack --manifest > manifest.json",
    "SLACK_BOT_TOKEN=xoxb-… SLACK_APP_TOKEN=xapp-… rookery setup slack --user ada --json",
    "rookery setup slack --remove",
  ],
  options: {
    user: { type: "string" },
    channel: { type: "string" },
    stdin: { type: "boolean" },
    "api-url": { type: "string" },
    "no-test": { type: "boolean" },
    "no-pair": { type: "boolean" },
    manifest: { type: "boolean" },
    remove: { type: "boolean" },
  },
  optionHelp: {
    user: "you on Slack: name or member id",
    channel: "a channel's id to write to, instead of a direct message",
    stdin: "read the bot token and the app-level token from stdin, one per line",
    "api-url": "URL of Slack's API, if it is not the default (GovSlack: https://slack-gov.com/api/)",
    "no-test": "do not send a test message",
    "no-pair": "do not create a pairing code",
    manifest: "only print the app's manifest",
    remove: "delete the tokens and the settings",
  },
  async run(context, { flags }) {
    if (flags.manifest) {
      context.print(JSON.stringify(slackManifest, null, 2));
      return 0;
    }
    if (flags.remove)
      return removeChannel(
        context,
        "slack",
        ["slack.apiUrl", "slack.userId", "slack.channelId"],
        "Slack is off, and the tokens are deleted from this machine. Delete the app in Slack as well. Paired people: rookery pair --list",
      );
    const apiUrl = readText(flags["api-url"]) || (await readConfirmedSetting(context, "slack.apiUrl"));
    const tokens = await readTokens(context, flags, apiUrl);
    const channel = readText(flags.channel) || context.environment.SLACK_CHANNEL_ID;
    const user = readText(flags.user) || (channel ? undefined : await askForUser(context));
    await startInstalledDaemon(context);
    const found = await callEndpoint(context.address, channelEndpoints.checkSlack, {
      body: { ...tokens, apiUrl, user, channel },
      timeoutMs: 120_000,
    });
    const { botToken, appToken } = tokens;
    const settings = {
      "slack.apiUrl": readText(flags["api-url"]) || undefined,
      "slack.userId": found.user?.id,
      "slack.channelId": found.channel?.id ?? null,
    };
    await applySettings(context, settings, (secrets) => {
      secrets.slack = appToken ? { botToken, appToken } : { botToken };
    });
    if (!flags["no-test"]) await sendTest(context, "slack");
    const pairing = flags["no-pair"] ? null : await offerPairing(context, "slack");
    if (context.isJson) context.print(JSON.stringify({ ...found, isTested: !flags["no-test"], pairing }));
    else context.print(describe(found, !flags["no-test"], pairing));
    return 0;
  },
};

/** From the environment, stdin or a prompt; never from the command line, which other users can read. */
async function readTokens(
  context: CliContext,
  flags: CommandInput["flags"],
  apiUrl: string,
): Promise<Tokens> {
  const { environment } = context;
  const lines = flags.stdin ? readFileSync(0, "utf8").split("\n") : [];
  let bot = lines[0]?.trim() || environment.ROOKERY_SLACK_BOT_TOKEN || environment.SLACK_BOT_TOKEN;
  let app = lines[1]?.trim() || environment.ROOKERY_SLACK_APP_TOKEN || environment.SLACK_APP_TOKEN;
  if (!bot && context.ask) {
    context.print(describeApp(apiUrl));
    bot = await context.ask("Bot token (xoxb-…): ", { isHidden: true });
    app ||= await context.ask("App-level token (xapp-…; empty: no buttons, replies only): ", {
      isHidden: true,
    });
  }
  if (!bot)
    throw new AppError(
      "invalid_argument",
      `There is no bot token: set SLACK_BOT_TOKEN, or give it with --stdin. To create the app, open ${makeManifestLink(apiUrl)}`,
    );
  for (const [name, problem] of [
    ["bot token", checkTokenShape("bot", bot)],
    ["app-level token", app ? checkTokenShape("app", app) : ""],
  ])
    if (problem) throw new AppError("invalid_argument", `The ${name} is malformed. ${problem}.`);
  return { botToken: bot, appToken: app || undefined };
}

function describeApp(apiUrl: string): string {
  return [
    "1. Create your own Slack app from this manifest and install it in your workspace:",
    `   ${makeManifestLink(apiUrl)}`,
    "2. Copy the bot token (OAuth & Permissions).",
    "3. Create an app-level token with the scope connections:write (Basic Information) and copy it.",
    "",
  ].join("\n");
}

async function askForUser(context: CliContext): Promise<string> {
  const user = await context.ask?.("Your name or member id on Slack: ");
  if (user) return user;
  throw new AppError(
    "invalid_argument",
    "No recipient. Give --user NAME for a direct message, or --channel ID.",
  );
}

function describe(
  { team, bot, user, channel, mode }: SlackCheck,
  isTested: boolean,
  pairing: PairingOffer | null,
): string {
  const lines = [
    `Slack works: ${bot.name} in ${team.name} writes to ${channel ? `#${channel.name}` : (user?.name ?? "you")}${isTested ? "; a test message is there" : ""}.`,
  ];
  if (mode === "polling")
    lines.push(
      "Without an app-level token there are no buttons: questions are answered by a reply in their thread, permissions in the terminal or the viewer.",
    );
  if (pairing)
    lines.push(
      ...describePairing(pairing, channel ? `to #${channel.name}` : "to the bot as a direct message"),
    );
  return lines.join("\n");
}
