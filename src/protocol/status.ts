import * as z from "zod";
import { time } from "./fields.ts";
import { embeddingsReport } from "./embeddings.ts";
import { hubSummary } from "./hub.ts";
import { modelReport } from "./model.ts";
import { channelView, presenceView } from "./reach.ts";

/** How long raw events are kept, and the result. */
const retentionState = z.object({
  eventDays: z.number(),
  eventMegabytes: z.number(),
  /** As of the last check; null before the first. */
  eventBytes: z.number().nullable(),
  oldestEventAt: time.nullable(),
  /** Events removed since the daemon started. */
  removed: z.number(),
  ranAt: time.nullable(),
});
export type RetentionState = z.infer<typeof retentionState>;

const matrixStatus = z.object({
  url: z.string(),
  users: z.number(),
  rooms: z.number(),
  events: z.number(),
  /** Long polls held now. */
  waiting: z.number(),
  isRegistrationOpen: z.boolean(),
  bytes: z.number(),
});
export type MatrixStatus = z.infer<typeof matrixStatus>;

/**
 * `unresponsive`: the embedded one has not answered for two seconds; `failed`: it is not started again, or another
 * homeserver cannot be used.
 */
const homeserverHealth = z.object({
  state: z.enum(["starting", "ready", "unresponsive", "failed"]),
  /** How often it did not respond since the daemon started. */
  stalls: z.number(),
  /** The problem with a homeserver other than the embedded one; empty if there is none. */
  trouble: z.string(),
});
export type HomeserverHealth = z.infer<typeof homeserverHealth>;

export const statusReport = z.object({
  status: z.enum(["ok", "paused"]),
  reason: z.string().optional(),
  version: z.string(),
  build: z.string(),
  pid: z.number(),
  home: z.string(),
  url: z.string(),
  uptimeMs: z.number(),
  rssBytes: z.number(),
  database: z.object({ bytes: z.number(), walBytes: z.number(), setAside: z.string().nullable() }),
  spool: z.object({ files: z.number(), bytes: z.number(), rejected: z.number() }),
  /** Events received but not yet committed. */
  queue: z.number(),
  events: z.number(),
  /** `hosts`: the active ones of each coding agent. */
  sessions: z.object({ active: z.number(), total: z.number(), hosts: z.record(z.string(), z.number()) }),
  agents: z.number(),
  monitors: z.number(),
  /** Hooks that wait for an answer from outside the terminal. */
  waiting: z.number(),
  questions: z.number(),
  deliveries: z.object({ queued: z.number(), injected: z.number(), confirmed: z.number() }),
  retention: retentionState,
  presence: presenceView,
  channels: z.array(channelView),
  /** Messages to the person: held back for now, being sent, given up. */
  outbox: z.object({ held: z.number(), waiting: z.number(), parked: z.number() }),
  /** The embedded homeserver; null if there is none or it does not respond. */
  matrix: matrixStatus.nullable(),
  /** Null if Matrix is off. */
  homeserver: homeserverHealth.nullable(),
  /** Null if no hub is joined. */
  hub: hubSummary.nullable(),
  /** Per event, as the hook's own clock saw it. */
  hooks: z.record(z.string(), z.object({ count: z.number(), p50Ms: z.number(), p95Ms: z.number() })),
  model: modelReport,
  embeddings: embeddingsReport,
  /** Person-only settings that were changed without a person; they take effect only after a person accepts them. */
  unconfirmedSettings: z.array(z.string()),
  /** Since the daemon started; `unspooled`: events that their hooks could not write. */
  counts: z.object({
    events: z.record(z.string(), z.number()),
    rejected: z.number(),
    unspooled: z.number(),
  }),
});
export type StatusReport = z.infer<typeof statusReport>;

/** The part that needs no database query. */
export type Load = Pick<StatusReport, "rssBytes" | "database" | "spool" | "queue">;
