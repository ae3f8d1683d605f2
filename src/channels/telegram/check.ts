import type { TelegramCheck } from "../../protocol/telegram.ts";
import { openBotApi } from "./bot-api.ts";
import { allowedUpdates, bot } from "./updates.ts";

const timeoutMs = 8_000;

/** Checks the token, and that no other program reads the bot's messages. Throws `ChannelError`. */
export async function checkTelegram(token: string, apiUrl: string): Promise<TelegramCheck> {
  const api = openBotApi({ token, apiUrl, timeoutMs });
  const { id, first_name: name, username } = bot.parse(await api.call("getMe", {}));
  // Without an offset, nothing is confirmed: the channel reads these updates again.
  await api.call("getUpdates", { timeout: 0, limit: 1, allowed_updates: allowedUpdates });
  return { id: String(id), name, username };
}
