import * as z from "zod";
import { project, queryTime, time } from "./fields.ts";
import { memoryKinds, memoryTypes } from "./memory-kinds.ts";
import { injectionView, queryKind } from "./memory.ts";

/** An address that signs in one browser tab, once. */
export const codeView = z.object({ url: z.string(), expiresAt: time });

export const codeRedeem = z.strictObject({
  code: z.string().min(1).max(200),
  publicKey: z.string().max(400).optional().describe("P-256, SPKI in base64url: remembers this browser"),
});

/** The answer to a successful sign-in. */
export const signInView = z.object({
  token: z.string(),
  consent: z.string().nullable().describe("sent as x-rookery-consent; valid until the daemon restarts"),
});

/** A remembered browser signs `rookery PORT CHALLENGE`. */
export const browserSignIn = z.strictObject({
  browser: z.string().min(1).max(100),
  challenge: z.string().min(1).max(200),
  signature: z.string().min(1).max(400).describe("ECDSA with SHA-256, in base64url"),
});

const runningView = z.object({
  id: z.string(),
  /** The process id of its host, if known. */
  pid: z.number().nullable(),
  agent: z.string(),
  /** The coding agent that runs it; "" if it is not known. */
  hostLabel: z.string(),
  project: z.string(),
  branch: z.string().nullable(),
  title: z.string().nullable(),
  model: z.string().nullable(),
  /** `waiting`: for an answer or a permission in its terminal, judging by its last event. */
  state: z.enum(["working", "idle", "waiting"]),
  /** Its latest event. */
  doing: z.object({ event: z.string(), tool: z.string().nullable(), about: z.string(), at: time }).nullable(),
  /** The latest prompt from its user. */
  prompt: z.string().nullable(),
  /** Deliveries that wait for it. */
  queued: z.number(),
  startedAt: time,
  lastEventAt: time,
});
export type RunningView = z.infer<typeof runningView>;

export const nowView = z.object({ sessions: z.array(runningView) });

export const browseRequest = z.strictObject({
  kind: queryKind.default("note"),
  project: project.optional(),
  type: z.enum(memoryTypes).optional(),
  file: z.string().max(8192).optional(),
  from: queryTime.optional(),
  to: queryTime.optional(),
  until: z
    .string()
    .max(200)
    .optional()
    .describe("only this note and older ones, so that a list stays still while it is read"),
  skip: z.coerce.number<number | string>().int().min(0).default(0),
  limit: z.coerce.number<number | string>().int().min(1).max(200).default(50),
});

/** A note, or another kind of memory, as a list shows it. */
const noteLine = z.object({
  id: z.string(),
  kind: z.enum(memoryKinds),
  /** Null for all but notes. */
  type: z.string().nullable(),
  title: z.string(),
  project: z.string(),
  session: z.string().nullable(),
  createdAt: time,
  snippet: z.string(),
});
export type NoteLine = z.infer<typeof noteLine>;

export const browseView = z.object({
  notes: z.array(noteLine),
  /** Total number; sent with the first page only. */
  total: z.number().optional(),
});

const sourceEvent = z.object({
  id: z.string(),
  event: z.string(),
  tool: z.string().nullable(),
  at: time,
  via: z.string(),
  /** As it was stored: redacted JSON, shortened. */
  payload: z.string(),
});
export type SourceEvent = z.infer<typeof sourceEvent>;

export const sourcesView = z.object({
  events: z.array(sourceEvent),
  /** The sessions that the note was given to. */
  injections: z.array(injectionView.extend({ agent: z.string() })),
});

const storyTool = z.object({
  tool: z.string(),
  about: z.string(),
  hasFailed: z.boolean(),
  bySubagent: z.boolean(),
  at: time,
});
export type StoryTool = z.infer<typeof storyTool>;

const storySummary = z.object({
  request: z.string(),
  investigated: z.string(),
  learned: z.string(),
  completed: z.string(),
  nextSteps: z.string(),
  notes: z.string(),
});
export type StorySummary = z.infer<typeof storySummary>;

const storyTurn = z.object({
  number: z.number(),
  kind: z.enum(["human", "machine", "unseen"]),
  outcome: z.string().nullable(),
  startedAt: time,
  endedAt: time.nullable(),
  /** A machine prompt without the tags of its host. */
  prompts: z.array(z.object({ text: z.string(), isMachine: z.boolean(), at: time })),
  /** Messages, answers and notices that were given to the session; they stand for the line that woke it. */
  received: z.array(
    z.object({ id: z.string(), kind: z.string(), from: z.string(), text: z.string(), at: time }),
  ),
  tools: z.array(storyTool),
  /** Tool uses beyond these. */
  moreTools: z.number(),
  said: z.string().nullable(),
  summary: storySummary.nullable(),
  notes: z.array(z.object({ id: z.string(), type: z.string(), title: z.string() })),
});
export type StoryTurn = z.infer<typeof storyTurn>;

export const storyView = z.object({
  /** Oldest first. */
  turns: z.array(storyTurn),
  /** How many turns came before these. */
  earlier: z.number(),
  files: z.array(z.object({ path: z.string(), reads: z.number(), edits: z.number() })),
});
export type StoryView = z.infer<typeof storyView>;

const healthSample = z.object({
  at: time,
  hooks: z.number(),
  /** Null if no hook called in that interval. */
  hookP50Ms: z.number().nullable(),
  hookP95Ms: z.number().nullable(),
  queue: z.number(),
  spoolFiles: z.number(),
  spoolBytes: z.number(),
  databaseBytes: z.number(),
  rssBytes: z.number(),
});
export type HealthSample = z.infer<typeof healthSample>;

/** Samples since the daemon started, oldest first. */
export const seriesView = z.object({ everyMs: z.number(), samples: z.array(healthSample) });
export type SeriesView = z.infer<typeof seriesView>;

/** The formula is in docs/viewer.md. */
export const savingsView = z.object({
  /** Oldest first; days without injections are left out. */
  days: z.array(z.object({ day: z.string(), injected: z.number(), saved: z.number() })),
  injected: z.number(),
  saved: z.number(),
  /** Rows of the index that sessions started with, and notes that a session was given in full. */
  indexRows: z.number(),
  recalled: z.number(),
});
export type SavingsView = z.infer<typeof savingsView>;
