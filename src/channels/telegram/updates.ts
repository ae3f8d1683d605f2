import * as z from "zod";

/** The fields that we read of Telegram's updates; all others are ignored. */
const user = z.looseObject({
  id: z.number(),
  is_bot: z.boolean().default(false),
  first_name: z.string().default(""),
  username: z.string().optional(),
});

const chat = z.looseObject({ id: z.number(), type: z.string() });

const keyboard = z.looseObject({
  inline_keyboard: z.array(
    z.array(z.looseObject({ text: z.string(), callback_data: z.string().optional() })),
  ),
});
export type Keyboard = z.infer<typeof keyboard>;

const message = z.looseObject({
  message_id: z.number(),
  from: user.optional(),
  chat,
  date: z.number().default(0),
  text: z.string().optional(),
  reply_to_message: z
    .looseObject({ message_id: z.number(), from: user.optional(), text: z.string().optional() })
    .optional(),
});
export type Message = z.infer<typeof message>;

const callbackQuery = z.looseObject({
  id: z.string(),
  from: user,
  message: z.looseObject({ message_id: z.number(), chat, reply_markup: keyboard.optional() }).optional(),
  data: z.string().optional(),
});
export type CallbackQuery = z.infer<typeof callbackQuery>;

/** An update that we cannot read is skipped, but its id still counts. */
export const updates = z.array(
  z.looseObject({
    update_id: z.number(),
    message: message.optional().catch(undefined),
    callback_query: callbackQuery.optional().catch(undefined),
  }),
);
export type Update = z.infer<typeof updates>[number];

export const allowedUpdates = ["message", "callback_query"] as const;

export const sentMessage = z.looseObject({ message_id: z.number() });
export const bot = z.looseObject({
  id: z.number(),
  first_name: z.string(),
  username: z.string().default(""),
});
