import type { Environment } from "./environment.ts";
import type { LoadedConfig } from "./load.ts";
import type { Secrets } from "./secrets.ts";

/** `wrong`: the token is malformed; `detail` says so without quoting it. */
type DiscordSettings =
  | { state: "off" }
  | { state: "wrong"; detail: string }
  | { state: "on"; token: string; apiUrl: string };

/** The token comes from the environment, else from secrets.json. Only our own variable counts. */
export function readDiscordSettings(
  { config }: LoadedConfig,
  secrets: Secrets,
  environment: Environment,
): DiscordSettings {
  const fromEnvironment = environment.ROOKERY_DISCORD_BOT_TOKEN?.trim();
  const token = fromEnvironment || secrets.discord.botToken;
  if (!token) return { state: "off" };
  const place = fromEnvironment ? "ROOKERY_DISCORD_BOT_TOKEN" : "discord.botToken in secrets.json";
  if (!isDiscordToken(token))
    return { state: "wrong", detail: `${place} is malformed: a bot token has three parts, joined by dots` };
  return { state: "on", token, apiUrl: config.discord.apiUrl };
}

export function isDiscordToken(token: string): boolean {
  return /^[\w-]{18,}\.[\w-]{4,}\.[\w-]{20,}$/.test(token);
}
