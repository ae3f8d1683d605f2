import type { RequirePerson } from "./require-person.ts";
import { createHash } from "node:crypto";
import { makeBrokenChannel } from "../../channels/broken-channel.ts";
import { type Channel, ChannelError } from "../../channels/channel.ts";
import { makeDesktopChannel } from "../../channels/desktop/desktop.ts";
import { checkSlack } from "../../channels/slack/check.ts";
import { openSlackChannel } from "../../channels/slack/slack-channel.ts";
import type { Environment } from "../../config/environment.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { readSecrets } from "../../config/secrets.ts";
import { readSlackSettings, type SlackSettings } from "../../config/slack.ts";
import type { Notice } from "../../domain/ask/card.ts";
import { checkSignIn } from "../../matrix-client/login.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { channelEndpoints } from "../../protocol/endpoints/channels.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";

interface ChannelsDeps {
  loaded: LoadedConfig;
  secretsFile: string;
  environment: Environment;
  log: Log;
  clock: Clock;
}

/** Every channel that the settings enable. A service's SDK is loaded when its channel starts. */
export function openChannels(deps: ChannelsDeps): Channel[] {
  const { loaded, environment, log, clock } = deps;
  const channels = [makeDesktopChannel({ enabled: loaded.config.desktop.enabled, environment })];
  const slack = readSettings(deps);
  if (slack.state === "wrong") channels.push(makeBrokenChannel("slack", slack.detail));
  if (slack.state === "on") channels.push(openSlackChannel({ ...slack, log, clock }));
  return channels;
}

/** Changes with the address or the token; a hash, because it is stored. Undefined while Slack is off. */
export function fingerprintSlack(deps: ChannelsDeps): string | undefined {
  const slack = readSettings(deps);
  if (slack.state !== "on") return undefined;
  return createHash("sha256").update(`${slack.apiUrl}\n${slack.botToken}`).digest("hex");
}

/** An unreadable secrets file disables the channel, not the daemon. */
function readSettings({ loaded, secretsFile, environment }: ChannelsDeps): SlackSettings {
  try {
    return readSlackSettings(loaded, readSecrets(secretsFile), environment);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { state: "wrong", detail: `${error.message} ${error.hint}` };
  }
}

const greeting: Notice = {
  kind: "news",
  level: "info",
  headline: "Rookery can reach you here",
  body: "Your coding agents send questions, approval requests and notifications here while you are away from the keyboard. To answer them, send the pairing code from your terminal here.",
  asker: { project: "rookery", agent: "setup", sessionId: null, subagent: null },
};

/** The endpoints that `rookery setup` needs. */
export function makeChannelHandlers(
  channels: readonly Channel[],
  clock: Clock,
  requirePerson: RequirePerson,
): Handlers<typeof channelEndpoints> {
  return {
    checkSlack: ({ body }) => explainFailure(() => checkSlack(body)),
    async checkMatrix({ body: { homeserver, accessToken, user, password }, caller: { peer } }) {
      // It sends a password to any address: only a person may decide that.
      await requirePerson(peer, { action: "change-setting", place: "api", subject: "matrix (check)" });
      return checkSignIn(homeserver, { accessToken, user, password });
    },
    async testChannel({ params: { name } }) {
      const channel = channels.find((each) => each.name === name);
      if (!channel) throw new AppError("channel_refused", `There is no channel ${name} in the settings.`);
      await explainFailure(() => channel.notify(greeting, `test:${name}:${clock()}`));
      return { channel: name };
    },
  };
}

async function explainFailure<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error;
    const code = error.retry === "never" ? "channel_refused" : "channel_unreachable";
    throw new AppError(code, error.message, { cause: error });
  }
}
