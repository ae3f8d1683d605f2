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
