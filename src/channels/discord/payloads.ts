import * as z from "zod";

/** The fields that we read of Discord's objects; all others are ignored. */
const user = z.looseObject({
  id: z.string(),
  username: z.string().default(""),
  bot: z.boolean().default(false),
});

const component = z.looseObject({
  custom_id: z.string().optional(),
  label: z.string().default(""),
  value: z.string().optional(),
});

export const componentRows = z.array(z.looseObject({ components: z.array(component).default([]) }));

export const message = z.looseObject({
  id: z.string(),
  channel_id: z.string(),
  /** Empty or absent in a direct message. */
  guild_id: z.string().nullish(),
  author: user,
  content: z.string().default(""),
  timestamp: z.string().default(""),
  message_reference: z.looseObject({ message_id: z.string().optional() }).nullish(),
});
export type Message = z.infer<typeof message>;
export const messages = z.array(message);

export const interactionTypes = { press: 3, form: 5 } as const;

export const interaction = z.looseObject({
  id: z.string(),
  token: z.string(),
  type: z.number(),
  guild_id: z.string().nullish(),
  channel_id: z.string().default(""),
  /** Only in a direct message; in a server it is part of `member`. */
  user: user.optional(),
  message: z
    .looseObject({ id: z.string(), components: componentRows.optional().catch(undefined) })
    .nullish()
    .catch(undefined),
  data: z.looseObject({
    custom_id: z.string().optional(),
    components: componentRows.optional().catch(undefined),
  }),
});
export type Interaction = z.infer<typeof interaction>;

export const channelId = z.looseObject({ id: z.string() });
export const bot = z.looseObject({ id: z.string(), username: z.string().default("") });
export const application = z.looseObject({ id: z.string() });
export const gatewayAddress = z.looseObject({ url: z.string() });

const discordEpoch = 1_420_070_400_000;

/** The lowest id that Discord could give at this time. Ids grow with time. */
export function makeIdOf(ms: number): string {
  return String(BigInt(Math.max(0, Math.floor(ms) - discordEpoch)) << 22n);
}

export function isLaterId(id: string, other: string): boolean {
  return BigInt(id) > BigInt(other);
}
