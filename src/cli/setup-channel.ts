import { readFileSync } from "node:fs";
import { callEndpoint } from "../client/request.ts";
import { channelEndpoints } from "../protocol/endpoints/channels.ts";
import { daemonEndpoints } from "../protocol/endpoints/daemon.ts";
import { reachEndpoints } from "../protocol/endpoints/reach.ts";
import type { PairingOffer } from "../protocol/reach.ts";
import type { AnsweringChannel } from "../protocol/ask.ts";
import { AppError } from "../shared/errors.ts";
import { applySettings } from "./apply-settings.ts";
import { callAsPerson } from "./call-as-person.ts";
import type { CliContext, CommandInput } from "./command.ts";
import { startInstalledDaemon } from "./start-daemon.ts";

/** The confirmed address: one that an agent wrote into config.json must not get the tokens. */
export async function readConfirmedSetting(context: CliContext, key: string): Promise<string> {
  await startInstalledDaemon(context);
  const { values, running } = await callEndpoint(context.address, daemonEndpoints.getConfig);
  return String(running[key] ?? values[key]);
}

export function offerPairing(context: CliContext, channel: AnsweringChannel): Promise<PairingOffer> {
  return callAsPerson(context, reachEndpoints.offerPairing, { body: { channel } });
}

/** `how`: where to send the code, worded to follow "Send this code". */
export function describePairing({ code }: PairingOffer, how: string): string[] {
  return [
    "",
    `Only paired people can answer. Send this code ${how}, within the hour:`,
    "",
    `    ${code.slice(0, 3)} ${code.slice(3)}`,
    "",
    "See who is paired: rookery pair --list",
  ];
}

export function sendTest(context: CliContext, name: "slack" | "ntfy" | "webhook"): Promise<unknown> {
  return callEndpoint(context.address, channelEndpoints.testChannel, {
    params: { name },
    timeoutMs: 60_000,
  });
}

/** Resets these settings of a channel, deletes its secrets, and prints the sentence. */
export async function removeChannel(
  context: CliContext,
  name: "slack" | "telegram" | "discord" | "ntfy" | "webhook",
  settings: readonly string[],
  sentence: string,
): Promise<number> {
  await applySettings(context, Object.fromEntries(settings.map((path) => [path, null])), (secrets) => {
    secrets[name] = {};
  });
  context.print(context.isJson ? JSON.stringify({ removed: true }) : sentence);
  return 0;
}

interface BotToken {
  /** The environment variable that may contain it. */
  variable: string;
  /** How to get one, for the prompt. */
  introduction: string;
  /** How to get one, for the error. */
  source: string;
  isValid(token: string): boolean;
  /** The form of a valid token. */
  shape: string;
}

/** From the environment, stdin or a prompt; never from the command line, which other users can read. */
export async function readBotToken(
  context: CliContext,
  flags: CommandInput["flags"],
  { variable, introduction, source, isValid, shape }: BotToken,
): Promise<string> {
  let token = flags.stdin ? readFileSync(0, "utf8").trim() : context.environment[variable];
  if (!token && context.ask) {
    context.print(introduction);
    token = await context.ask("Bot token: ", { isHidden: true });
  }
  if (!token)
    throw new AppError(
      "invalid_argument",
      `There is no bot token: set ${variable}, or give it with --stdin. To get one, ${source}`,
    );
  if (!isValid(token)) throw new AppError("invalid_argument", `The bot token is malformed: ${shape}`);
  return token;
}
