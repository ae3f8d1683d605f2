import type { PersonLink } from "./person-link.ts";
import { hash } from "node:crypto";
import { makeBrokenChannel } from "../../channels/broken-channel.ts";
import { type Channel, ChannelError } from "../../channels/channel.ts";
import { makeDesktopChannel } from "../../channels/desktop/desktop.ts";
import { checkDiscord } from "../../channels/discord/check.ts";
import { openDiscordChannel } from "../../channels/discord/discord-channel.ts";
import { checkNtfy } from "../../channels/ntfy/check.ts";
import { openNtfyChannel } from "../../channels/ntfy/ntfy-channel.ts";
import { checkSlack } from "../../channels/slack/check.ts";
import { openSlackChannel } from "../../channels/slack/slack-channel.ts";
import { checkTelegram } from "../../channels/telegram/check.ts";
import { openTelegramChannel } from "../../channels/telegram/telegram-channel.ts";
import { openWebhook, type Webhook } from "../../channels/webhook/webhook-channel.ts";
import { readDiscordSettings } from "../../config/discord.ts";
import type { LoadedConfig } from "../../config/load.ts";
import { readNtfySettings } from "../../config/ntfy.ts";
import { readSecrets } from "../../config/secrets.ts";
import { readSlackSettings } from "../../config/slack.ts";
import { readTelegramSettings } from "../../config/telegram.ts";
import { readWebhookSettings } from "../../config/webhook.ts";
import type { Notice } from "../../domain/ask/card.ts";
import { checkSignIn } from "../../matrix-client/login.ts";
import type { Handlers } from "../../http/handlers.ts";
import type { AnsweringChannel } from "../../protocol/ask.ts";
import type { channelEndpoints } from "../../protocol/endpoints/channels.ts";
import type { Clock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface ChannelsDeps extends Pick<DaemonContext, "environment" | "store" | "log" | "clock"> {
  loaded: LoadedConfig;
  secretsFile: string;
}

/** A mark of a channel's service: changes with its address or token. Undefined while the channel is off. */
type ServiceMarks = Record<"slack" | "telegram" | "discord" | "ntfy" | "webhook", string | undefined>;

/** Every channel that the settings enable. A service's SDK is loaded when its channel starts. */
export function openChannels(deps: ChannelsDeps): {
  channels: Channel[];
  marks: ServiceMarks;
  webhook: Webhook | undefined;
} {
  const { loaded, environment, log, clock } = deps;
  const settings = readSettings(deps);
  const { slack, telegram, discord, ntfy } = settings;
  const channels = [makeDesktopChannel({ enabled: loaded.config.desktop.enabled, environment })];
  for (const name of ["slack", "telegram", "discord", "webhook"] as const) {
    const found = settings[name];
    if (found.state === "wrong") channels.push(makeBrokenChannel(name, found.detail));
  }
  if (slack.state === "on") channels.push(openSlackChannel({ ...slack, log, clock }));
  const telegramMark = telegram.state === "on" ? makeMark(telegram.apiUrl, telegram.token) : undefined;
  if (telegram.state === "on")
    channels.push(
      openTelegramChannel({ ...telegram, ...keepPosition(deps, "telegram", telegramMark), log, clock }),
    );
  const discordMark = discord.state === "on" ? makeMark(discord.apiUrl, discord.token) : undefined;
  if (discord.state === "on")
    channels.push(
      openDiscordChannel({ ...discord, ...keepPosition(deps, "discord", discordMark), log, clock }),
    );
  const ntfyMark = ntfy.state === "on" ? makeMark(ntfy.url, ntfy.topic, ntfy.answerTopic) : undefined;
  if (ntfy.state === "on")
    channels.push(openNtfyChannel({ ...ntfy, ...keepPosition(deps, "ntfy", ntfyMark), log }));
  const { people } = keepPosition(deps, "webhook");
  const webhook =
    settings.webhook.state === "on" ? openWebhook({ ...settings.webhook, people, clock }) : undefined;
  if (webhook) channels.push(webhook.channel);
  return {
    channels,
    webhook,
    marks: {
      webhook:
        settings.webhook.state === "on" ? makeMark(settings.webhook.url, settings.webhook.secret) : undefined,
      ntfy: ntfyMark,
      slack: slack.state === "on" ? makeMark(slack.apiUrl, slack.botToken) : undefined,
      telegram: telegramMark,
      discord: discordMark,
    },
  };
}

/** A hash, because it is stored. */
function makeMark(...parts: string[]): string {
  return hash("sha256", parts.join("\n"));
}

/** The paired people of a channel, and how far its messages were read; the position is valid for one service only. */
function keepPosition({ store }: ChannelsDeps, channel: AnsweringChannel, mark = "") {
  const key = `position.${channel}`;
  return {
    people: () =>
      store.access.listPeople().flatMap((person) => (person.channel === channel ? [person.sender] : [])),
    loadPosition(): string | undefined {
      const [service, position] = store.meta.get(key)?.split(" ") ?? [];
      return service === mark ? position : undefined;
    },
    savePosition: (position: string) => store.meta.set(key, `${mark} ${position}`),
  };
}

/** An unreadable secrets file disables the channels, not the daemon. It is reported once, as a problem of Slack. */
function readSettings({ loaded, secretsFile, environment }: ChannelsDeps) {
  try {
    const secrets = readSecrets(secretsFile);
    return {
      slack: readSlackSettings(loaded, secrets, environment),
      telegram: readTelegramSettings(loaded, secrets, environment),
      discord: readDiscordSettings(loaded, secrets, environment),
      ntfy: readNtfySettings(loaded, secrets),
      webhook: readWebhookSettings(loaded, secrets),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const detail = `${error.message} ${error.hint}`;
    const off = { state: "off" } as const;
    const slack = { state: "wrong", detail } as const;
    return { slack, telegram: off, discord: off, ntfy: off, webhook: off };
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
  webhook: Webhook | undefined,
  clock: Clock,
  { requirePerson, caller: callers }: Pick<PersonLink, "requirePerson" | "caller">,
): Handlers<typeof channelEndpoints> {
  return {
    checkSlack: ({ body }) => explainFailure(() => checkSlack(body)),
    async checkMatrix({
      body: { homeserver, accessToken, user, password, isService = false },
      caller: { peer },
    }) {
      // It sends a password to any address: only a person may decide that.
      await requirePerson(peer, { action: "change-setting", place: "api", subject: "matrix (check)" });
      return checkSignIn(homeserver, { accessToken, user, password, isService });
    },
    async checkTelegram({ body: { botToken, apiUrl }, caller: { peer } }) {
      await requirePerson(peer, { action: "change-setting", place: "api", subject: "telegram (check)" });
      return explainFailure(() => checkTelegram(botToken, apiUrl));
    },
    async checkDiscord({ body: { botToken, apiUrl }, caller: { peer } }) {
      await requirePerson(peer, { action: "change-setting", place: "api", subject: "discord (check)" });
      return explainFailure(() => checkDiscord(botToken, apiUrl));
    },
    async checkNtfy({ body: { server, ...rest }, caller: { peer } }) {
      await requirePerson(peer, { action: "change-setting", place: "api", subject: "ntfy (check)" });
      await explainFailure(() => checkNtfy(server, rest));
      return { server };
    },
    async receiveWebhook({ body, caller: { peer, header } }) {
      if (!webhook) throw new AppError("channel_refused", "There is no webhook in the settings.");
      // An agent could read the secret, so the calling process is checked as well.
      const verdict = peer?.isAgent
        ? { may: false as const, why: "an agent started it" }
        : await callers.mayDecide(peer);
      if (!verdict.may)
        throw new AppError("may_not_decide", `The calling process may not answer: ${verdict.why}.`);
      return explainFailure(() => webhook.receive(header, new TextDecoder().decode(body)));
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
