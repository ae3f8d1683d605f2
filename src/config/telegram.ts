import type { Environment } from "./environment.ts";
import type { LoadedConfig } from "./load.ts";
import type { Secrets } from "./secrets.ts";

/** `wrong`: the token is malformed; `detail` says so without quoting it. */
type TelegramSettings =
  | { state: "off" }
  | { state: "wrong"; detail: string }
  | { state: "on"; token: string; apiUrl: string };

/**
 * The token comes from the environment, else from secrets.json. Only our own variable counts: a bot that another program
 * uses must not be taken over, because only one program can read a bot's messages.
 */
export function readTelegramSettings(
  { config }: LoadedConfig,
  secrets: Secrets,
  environment: Environment,
): TelegramSettings {
  const fromEnvironment = environment.ROOKERY_TELEGRAM_BOT_TOKEN?.trim();
  const token = fromEnvironment || secrets.telegram.botToken;
  if (!token) return { state: "off" };
  const place = fromEnvironment ? "ROOKERY_TELEGRAM_BOT_TOKEN" : "telegram.botToken in secrets.json";
  if (!isTelegramToken(token))
    return { state: "wrong", detail: `${place} is malformed: a bot token looks like 123456:ABC-DEF…` };
  return { state: "on", token, apiUrl: config.telegram.apiUrl };
}

export function isTelegramToken(token: string): boolean {
  return /^\d{3,20}:[\w-]{20,}$/.test(token);
}
