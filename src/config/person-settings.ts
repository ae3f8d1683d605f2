import * as z from "zod";
import { personOnly } from "./person-only.ts";

/** When and how the person is reached. */
export const personSettings = {
  presence: z
    .strictObject({
      awaySeconds: z
        .number()
        .int()
        .min(0)
        .max(86_400)
        .default(60)
        .describe("How long without a sign of you until you count as away; 0 is always."),
    })
    .prefault({}),
  notify: z
    .strictObject({
      done: z.boolean().default(true).describe("Tell you when a longer turn is finished."),
      doneAfterSeconds: z
        .number()
        .int()
        .min(0)
        .max(86_400)
        .default(60)
        .describe("Turns shorter than this end without a word."),
      failed: z
        .boolean()
        .default(true)
        .describe("Tell you when a turn ends with an error, or tools keep failing."),
      idle: z.boolean().default(true).describe("Tell you when a session waits for your next prompt."),
      needsInput: z.boolean().default(true).describe("Tell you when a dialog waits in the terminal."),
      news: z.boolean().default(true).describe("Pass on what an agent wants you to know."),
      quietHours: z
        .string()
        .regex(/^(?:(?:[01]?\d|2[0-3]):[0-5]\d-(?:[01]?\d|2[0-3]):[0-5]\d)?$/, "must look like 22:00-07:00")
        .default("")
        .describe("Local time in which only urgent questions go out, such as 22:00-07:00; empty for none."),
    })
    .prefault({}),
  slack: z
    .strictObject({
      apiUrl: z
        .url()
        .refine(isSafeAddress, "must begin with https:// (the tokens are sent there)")
        .default("https://slack.com/api/")
        .describe("Where Slack's API is reached; GovSlack is https://slack-gov.com/api/.")
        .meta(personOnly),
      userId: z
        .string()
        .regex(/^([UW][A-Z0-9]+)?$/, "must be a user's id, such as U0123ABCD")
        .default("")
        .describe("Whom Slack messages go to, directly. Set it with `rookery setup slack`.")
        .meta(personOnly),
      channelId: z
        .string()
        .regex(/^([CGDUW][A-Z0-9]+)?$/, "must be a channel's id, such as C0123ABCD")
        .default("")
        .describe("A channel to write to instead; `SLACK_CHANNEL_ID` works too.")
        .meta(personOnly),
    })
    .prefault({}),
  desktop: z
    .strictObject({
      enabled: z
        .enum(["auto", "on", "off"])
        .default("auto")
        .describe("Notifications of this machine's desktop; auto is on where there is one."),
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
        .describe("How long a question stays open for an answer from elsewhere than the terminal."),
      subagentSeconds: z
        .number()
        .int()
        .min(0)
        .max(3600)
        .default(120)
        .describe("The same for a subagent: in the background it shows its dialog only when this is over."),
      always: z
        .boolean()
        .default(false)
        .describe(
          "Hold questions open even where no channel and no viewer could show them: for answers by API and command line.",
        ),
    })
    .prefault({}),
};

/** Secrets go there: nobody on the way may read them. */
function isSafeAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && ["127.0.0.1", "localhost"].includes(hostname));
}
