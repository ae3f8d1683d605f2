import type { Environment } from "./environment.ts";
import type { LoadedConfig } from "./load.ts";
import type { Secrets } from "./secrets.ts";

/** `wrong`: the settings are incomplete or invalid; `detail` says how. */
type SlackSettings =
  | { state: "off" }
  | { state: "wrong"; detail: string }
  | {
      state: "on";
      botToken: string;
      appToken: string | undefined;
      apiUrl: string;
      channel: string;
      user: string;
    };

const kinds = {
  bot: { variable: "SLACK_BOT_TOKEN", key: "slack.botToken", prefix: "xoxb-", name: "bot token" },
  app: { variable: "SLACK_APP_TOKEN", key: "slack.appToken", prefix: "xapp-", name: "app-level token" },
} as const;

/** Tokens come from the environment, else from secrets.json. Slack is on if there is a token and a recipient. */
export function readSlackSettings(
  { config, sources }: LoadedConfig,
  secrets: Secrets,
  environment: Environment,
): SlackSettings {
  const bot = findToken("bot", secrets.slack.botToken, environment);
  const app = findToken("app", secrets.slack.appToken, environment);
  const { apiUrl, userId, channelId } = config.slack;
  const hasOwnVariable = sources["slack.channelId"] === "environment";
  const channel = (!hasOwnVariable && environment.SLACK_CHANNEL_ID) || channelId;
  const other = app?.place ?? (channel && "SLACK_CHANNEL_ID");
  if (!bot && !other) return { state: "off" };
  const detail =
    (!bot && `${other} is set, but SLACK_BOT_TOKEN is missing. Run \`rookery setup slack\`.`) ||
    describeToken("bot", bot) ||
    describeToken("app", app);
  if (detail || !bot) return { state: "wrong", detail };
  if (channel && !/^[CGDUW][A-Z0-9]+$/.test(channel))
    return { state: "wrong", detail: `SLACK_CHANNEL_ID must be a channel id, such as C0123ABCD.` };
  if (!channel && !userId)
    return {
      state: "wrong",
      detail: `${bot.place} is set, but there is no recipient. Set SLACK_CHANNEL_ID, or run \`rookery setup slack --user NAME\`.`,
    };
  return { state: "on", botToken: bot.token, appToken: app?.token, apiUrl, channel, user: userId };
}

/** Describes a malformed token without quoting it; empty if the token is well-formed. */
export function checkTokenShape(kind: keyof typeof kinds, token: string): string {
  const { prefix, name } = kinds[kind];
  return new RegExp(`^${prefix}[A-Za-z0-9-]+$`).test(token) ? "" : `A ${name} starts with ${prefix}`;
}

interface FoundToken {
  token: string;
  place: string;
}

function findToken(
  kind: keyof typeof kinds,
  stored: string | undefined,
  environment: Environment,
): FoundToken | undefined {
  const { variable, key } = kinds[kind];
  for (const name of [`ROOKERY_${variable}`, variable]) {
    const token = environment[name]?.trim();
    if (token) return { token, place: name };
  }
  return stored ? { token: stored, place: `${key} in secrets.json` } : undefined;
}

function describeToken(kind: keyof typeof kinds, found: FoundToken | undefined): string {
  const problem = found && checkTokenShape(kind, found.token);
  return problem ? `${found.place} is malformed: ${problem.toLowerCase()}.` : "";
}
