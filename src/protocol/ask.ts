import * as z from "zod";
import { time } from "./fields.ts";

/** How the person at this machine is stored, wherever they answer. They are shown by their name: `formatPerson`. */
export const owner = "the user";

const pid = z.number().int().positive().optional().describe("process id of the session that asks");
const agent = z.string().max(200).optional().describe("name of the agent that asks");
const cwd = z
  .string()
  .max(8192)
  .optional()
  .describe("folder of the caller, if it is neither a session nor an agent");

export const questionCreate = z.strictObject({
  question: z.string().trim().min(1).max(4_000),
  options: z
    .array(z.string().trim().min(1).max(300))
    .max(20)
    .default([])
    .describe("Answers to choose from; free text is always possible"),
  multi: z.boolean().default(false).describe("allow several options"),
  context: z.string().max(4_000).optional().describe("Why you ask, what depends on it"),
  urgency: z.enum(["normal", "now"]).default("normal"),
  pid,
  agent,
  cwd,
  /** If the asker does not wait, the answer goes to the agent's inbox at once. */
  wait: z.boolean().default(true).describe("false: continue without the answer"),
});

/** The channels on which a person can answer. */
export const answeringChannels = ["slack", "matrix", "telegram", "discord", "ntfy", "webhook"] as const;
export type AnsweringChannel = (typeof answeringChannels)[number];

/** Where a question can be answered. */
const answerPlaces = ["terminal", "viewer", "cli", ...answeringChannels] as const;
export type AnswerPlace = (typeof answerPlaces)[number];

/** `key` is returned with the question; it lets the asking tool pass on the answer from its own dialog. */
const answerer = {
  place: z.enum(["viewer", "cli", "terminal"]).default("viewer"),
  by: z.string().trim().min(1).max(80).default(owner),
  key: z.string().max(100).optional(),
};

export const questionAnswer = z.union([
  z.strictObject({
    answers: z
      .array(z.array(z.string().max(20_000)).max(50))
      .min(1)
      .max(20)
      .describe("a list for each prompt"),
    ...answerer,
  }),
  z.strictObject({ allow: z.enum(["once", "session"]), ...answerer }),
  z.strictObject({ deny: z.string().max(20_000).describe("the reason"), ...answerer }),
]);

export const questionHanded = z.strictObject({
  key: z.string().max(100),
  dismissed: z.boolean().default(false).describe("the caller no longer wants an answer"),
});

export const noticeCreate = z.strictObject({
  message: z.string().trim().min(1).max(4_000),
  level: z.enum(["info", "warning", "error"]).default("info"),
  pid,
  agent,
  cwd,
});

export const questionStates = ["open", "answered", "declined", "expired", "cancelled"] as const;

export const questionView = z.object({
  id: z.string(),
  kind: z.enum(["choice", "permission", "plan"]),
  state: z.enum(questionStates),
  /** State of a decision that was made outside the terminal. */
  verdict: z.enum(["sent", "confirmed", "overruled"]).nullable(),
  /** Says who asks, without the content, for lock screens. */
  headline: z.string(),
  /** The question itself, on one line. */
  title: z.string(),
  /** Why the command is dangerous, worded to follow "This" ("deletes files"); null if it is not. */
  danger: z.string().nullable(),
  /** The agent that has claimed the file to be changed. */
  claimedBy: z.string().nullable(),
  project: z.string(),
  agent: z.string(),
  session: z.string().nullable(),
  subagent: z.string().nullable(),
  context: z.string().nullable(),
  prompts: z.array(
    z.object({
      text: z.string(),
      header: z.string().nullable(),
      options: z.array(z.object({ label: z.string(), description: z.string().nullable() })),
      isMulti: z.boolean(),
    }),
  ),
  subject: z
    .object({ toolName: z.string(), format: z.string(), text: z.string(), hiddenSecrets: z.number() })
    .nullable(),
  /** The rule that "allow for session" would add; null if that is not offered. */
  sessionRule: z.string().nullable(),
  earlier: z.object({ answer: z.string(), at: time }).nullable(),
  urgency: z.enum(["normal", "now"]),
  createdAt: time,
  expiresAt: time,
  settledAt: time.nullable(),
  answer: z
    .union([
      z.object({ answers: z.array(z.array(z.string())) }),
      z.object({ allow: z.enum(["once", "session"]) }),
      z.object({ deny: z.string() }),
    ])
    .nullable(),
  answerer: z.object({ place: z.enum(answerPlaces), by: z.string() }).nullable(),
  /** How it ended, in words. */
  outcome: z.string().nullable(),
});
export type QuestionView = z.infer<typeof questionView>;

export const askedView = z.object({
  question: questionView,
  key: z.string(),
  /** Whether the person is at the keyboard, where a dialog may be quicker than a remote channel. */
  isHere: z.boolean(),
  /** Whether anything other than the terminal can show it. */
  canReach: z.boolean(),
});
export type AskedView = z.infer<typeof askedView>;
