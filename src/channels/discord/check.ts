import type { DiscordCheck } from "../../protocol/discord.ts";
import { openDiscordApi } from "./api.ts";
import { application, bot } from "./payloads.ts";

const timeoutMs = 8_000;

/** Checks the token. Throws `ChannelError`. */
export async function checkDiscord(token: string, apiUrl: string): Promise<DiscordCheck> {
  const api = openDiscordApi({ token, apiUrl, timeoutMs });
  const { id, username: name } = bot.parse(await api.call("GET", "/users/@me"));
  const { id: applicationId } = application.parse(await api.call("GET", "/applications/@me"));
  return { id, name, applicationId };
}
