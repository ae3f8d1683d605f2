import * as z from "zod";
import { queryTime, time } from "./fields.ts";

/** A period, usually a day of the caller's time zone. */
export const periodRequest = z.strictObject({ from: queryTime, to: queryTime });

/** `to` is null for a state that still holds. */
const laneSpan = z.object({
  state: z.enum(["working", "waiting", "idle"]),
  from: time,
  to: time.nullable(),
});
export type LaneSpan = z.infer<typeof laneSpan>;

const laneView = z.object({
  agent: z.string(),
  project: z.string(),
  isLive: z.boolean(),
  /** Sorted, without overlaps. No span: the agent did not run. */
  spans: z.array(laneSpan),
  turns: z.array(
    z.object({
      session: z.string(),
      number: z.number(),
      from: time,
      to: time.nullable(),
      /** Its prompt, on one line. */
      asked: z.string(),
      outcome: z.string().nullable(),
    }),
  ),
  questions: z.array(
    z.object({ id: z.string(), at: time, settledAt: time.nullable(), title: z.string(), state: z.string() }),
  ),
  notes: z.array(z.object({ id: z.string(), at: time, type: z.string(), title: z.string() })),
});
export type LaneView = z.infer<typeof laneView>;

export const stripView = z.object({
  /** By project and name. */
  lanes: z.array(laneView),
  /** More turns, questions or notes exist than are listed. */
  isCut: z.boolean(),
});
export type StripView = z.infer<typeof stripView>;

export const weekRequest = z.strictObject({
  edges: z
    .string()
    .regex(/^\d{1,15}(?:,\d{1,15}){1,31}$/)
    .describe(
      "the times between the days, oldest first, with commas: a day is that of the caller's time zone",
    ),
});

const weekDay = z.object({
  from: time,
  to: time,
  agents: z.number(),
  turns: z.number(),
  questions: z.number(),
  notes: z.number(),
  /** Sums over all agents. */
  workingMs: z.number(),
  waitingMs: z.number(),
});
export type WeekDay = z.infer<typeof weekDay>;
export const weekView = z.object({ days: z.array(weekDay) });
export type WeekView = z.infer<typeof weekView>;

/** `used` is null until the turn has ended. The rule is in docs/viewer.md. */
const usedNote = z.object({
  id: z.string(),
  title: z.string(),
  agent: z.string(),
  session: z.string(),
  used: z.enum(["opened", "named", "words", "no"]).nullable(),
  at: time,
});
export type UsedNote = z.infer<typeof usedNote>;

const projectUse = z.object({
  project: z.string(),
  sessions: z.number(),
  /** Tokens given to its sessions. */
  tokens: z.number(),
  /** Spent on models and embeddings. */
  usd: z.number(),
  /** Notes given in full, and rows of the start context that the agent opened or named. */
  recalled: z.number(),
  used: z.number(),
  /** Notes of turns that have not ended. */
  undecided: z.number(),
  notes: z.array(usedNote),
});
export type ProjectUse = z.infer<typeof projectUse>;
export const recallUseView = z.object({ projects: z.array(projectUse) });
export type RecallUseView = z.infer<typeof recallUseView>;

export const talkView = z.object({
  pairs: z.array(
    z.object({
      sender: z.string(),
      /** An agent or a room; null for the person. */
      recipient: z.string().nullable(),
      isRoom: z.boolean(),
      room: z.string(),
      messages: z.number(),
      lastAt: time,
    }),
  ),
});
export type TalkView = z.infer<typeof talkView>;
