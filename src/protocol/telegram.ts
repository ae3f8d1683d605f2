import * as z from "zod";

/** Stores and sends nothing. */
export const telegramCheckRequest = z.strictObject({
  botToken: z.string().min(1).max(500),
  apiUrl: z.url(),
});

export const telegramCheck = z.object({ id: z.string(), name: z.string(), username: z.string() });
export type TelegramCheck = z.infer<typeof telegramCheck>;

/** Opens a chat with the bot; its Start button sends the code. */
export function makeStartLink(username: string, code: string): string {
  return `https://t.me/${encodeURIComponent(username)}?start=${code}`;
}
