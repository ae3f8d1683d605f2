import * as z from "zod";

/** The fields that we read of Slack's payloads; all others are ignored. */
const user = z.looseObject({ id: z.string(), team_id: z.string().nullish() });
const option = z.looseObject({ value: z.string() });

/** The values of all inputs of a message or modal when a button is pressed. */
const stateValues = z
  .record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        value: z.string().nullish(),
        selected_option: option.nullish(),
        selected_options: z.array(option).nullish(),
      }),
    ),
  )
  .catch({});
export type StateValues = z.infer<typeof stateValues>;

export const blockActions = z.looseObject({
  type: z.literal("block_actions"),
  user,
  trigger_id: z.string(),
  channel: z.looseObject({ id: z.string() }),
  message: z.looseObject({ ts: z.string() }),
  state: z.looseObject({ values: stateValues }).nullish(),
  actions: z
    .array(
      z.looseObject({
        action_id: z.string(),
        action_ts: z.string().nullish(),
        value: z.string().nullish(),
        text: z.looseObject({ text: z.string() }).nullish(),
      }),
    )
    .min(1),
});
export type BlockActions = z.infer<typeof blockActions>;

export const viewSubmission = z.looseObject({
  type: z.literal("view_submission"),
  user,
  trigger_id: z.string(),
  view: z.looseObject({
    private_metadata: z.string().optional(),
    state: z.looseObject({ values: stateValues }).nullish(),
  }),
});
export type ViewSubmission = z.infer<typeof viewSubmission>;

export const message = z.looseObject({
  type: z.literal("message").optional(),
  subtype: z.string().nullish(),
  bot_id: z.string().nullish(),
  user: z.string().optional(),
  user_team: z.string().nullish(),
  text: z.string().default(""),
  ts: z.string(),
  thread_ts: z.string().nullish(),
});
export type Message = z.infer<typeof message>;

export const messageEvent = z.looseObject({
  event: message.extend({ type: z.literal("message"), channel: z.string() }),
  is_ext_shared_channel: z.boolean().default(false),
});
