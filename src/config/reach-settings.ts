import * as z from "zod";
import { isSafeAddress } from "./addresses.ts";
import { personOnly } from "./person-only.ts";

/** Settings of presence, notifications and questions. */
export const reachSettings = {
  presence: z
    .strictObject({
      awaySeconds: z
        .number()
        .int()
        .min(0)
        .max(86_400)
        .default(60)
        .describe("Seconds without activity after which you count as away; 0 means you are always away.")
        .meta(personOnly),
    })
    .prefault({}),
  notify: z
    .strictObject({
      done: z.boolean().default(true).describe("Notify you when a long turn is finished.").meta(personOnly),
      doneAfterSeconds: z
        .number()
        .int()
        .min(0)
        .max(86_400)
        .default(60)
        .describe("No notification for turns shorter than this.")
        .meta(personOnly),
      failed: z
        .boolean()
        .default(true)
        .describe("Notify you when a turn ends with an error, or tools keep failing.")
        .meta(personOnly),
      idle: z
        .boolean()
        .default(true)
        .describe("Notify you when a session waits for your next prompt.")
        .meta(personOnly),
      needsInput: z
        .boolean()
        .default(true)
        .describe("Notify you when a dialog waits in the terminal.")
        .meta(personOnly),
      news: z
        .boolean()
        .default(true)
        .describe("Notify you of messages that agents send you.")
        .meta(personOnly),
      quietHours: z
        .string()
        .regex(/^(?:(?:[01]?\d|2[0-3]):[0-5]\d-(?:[01]?\d|2[0-3]):[0-5]\d)?$/, "must look like 22:00-07:00")
        .default("")
        .describe(
          "Hours (local time) in which only urgent questions are sent, such as 22:00-07:00; empty for none.",
        )
        .meta(personOnly),
    })
    .prefault({}),
  slack: z
    .strictObject({
      apiUrl: z
        .url()
        .refine(isSafeAddress, "must start with https://, because tokens are sent there")
        .default("https://slack.com/api/")
        .describe("URL of Slack's API; for GovSlack https://slack-gov.com/api/.")
        .meta(personOnly),
      userId: z
        .string()
        .regex(/^([UW][A-Z0-9]+)?$/, "must be a user id, such as U0123ABCD")
        .default("")
        .describe("Slack user who gets the direct messages. Set it with `rookery setup slack`.")
        .meta(personOnly),
      channelId: z
        .string()
        .regex(/^([CGDUW][A-Z0-9]+)?$/, "must be a channel id, such as C0123ABCD")
        .default("")
        .describe("Slack channel to use instead of direct messages; `SLACK_CHANNEL_ID` works too.")
        .meta(personOnly),
    })
    .prefault({}),
  telegram: z
    .strictObject({
      apiUrl: z
        .url()
        .refine(isSafeAddress, "must start with https://, because the bot token is sent there")
        .default("https://api.telegram.org")
        .describe("URL of Telegram's Bot API; another one if you run your own Bot API server.")
        .meta(personOnly),
    })
    .prefault({}),
  discord: z
    .strictObject({
      apiUrl: z
        .url()
        .refine(isSafeAddress, "must start with https://, because the bot token is sent there")
        .default("https://discord.com/api/v10")
        .describe("URL of Discord's API; another one for a service with the same API.")
        .meta(personOnly),
    })
    .prefault({}),
  ntfy: z
    .strictObject({
      server: z
        .url()
        .refine(isSafeAddress, "must start with https://, because the topics and the token are sent there")
        .default("https://ntfy.sh")
        .describe("URL of the ntfy server. Set it with `rookery setup ntfy`.")
        .meta(personOnly),
      approvals: z
        .boolean()
        .default(false)
        .describe(
          "Send commands and plans in full to ntfy, with buttons to approve them. Everyone who can read the topic can then approve.",
        )
        .meta(personOnly),
    })
    .prefault({}),
  webhook: z
    .strictObject({
      url: z
        .union([
          z.literal(""),
          z.url().refine(isSafeAddress, "must start with https://, or be on this machine"),
        ])
        .default("")
        .describe(
          "Address that gets questions and notifications as signed requests. Set it with `rookery setup webhook`.",
        )
        .meta(personOnly),
    })
    .prefault({}),
  desktop: z
    .strictObject({
      enabled: z
        .enum(["auto", "on", "off"])
        .default("auto")
        .describe("Desktop notifications; `auto` is on if there is a desktop.")
        .meta(personOnly),
    })
    .prefault({}),
  ask: z
    .strictObject({
      waitSeconds: z
        .number()
        .int()
        .min(1)
        .max(14_000)
        .default(3600)
        .describe("How long a question waits for an answer from outside the terminal.")
        .meta(personOnly),
      subagentSeconds: z
        .number()
        .int()
        .min(0)
        .max(3600)
        .default(120)
        .describe(
          "The same for a subagent: a background subagent only shows its dialog in the terminal after this time.",
        )
        .meta(personOnly),
      always: z
        .boolean()
        .default(false)
        .describe(
          "When a headless session or a subagent asks, hold it even if no channel or viewer can show the question, so that you can answer by API or command line.",
        )
        .meta(personOnly),
    })
    .prefault({}),
};
