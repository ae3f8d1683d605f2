import * as z from "zod";

/** Stores and sends nothing. */
export const discordCheckRequest = z.strictObject({
  botToken: z.string().min(1).max(500),
  apiUrl: z.url(),
});

export const discordCheck = z.object({ id: z.string(), name: z.string(), applicationId: z.string() });
export type DiscordCheck = z.infer<typeof discordCheck>;

/** Adds the bot to a server: only people who share a server with it can write to it. It asks for no permissions. */
export function makeInviteLink(applicationId: string): string {
  return `https://discord.com/oauth2/authorize?client_id=${encodeURIComponent(applicationId)}&scope=bot&permissions=0`;
}
