import * as z from "zod";
import { hostPid, time } from "./fields.ts";

/** The body of every error response. */
export const apiError = z.object({ code: z.string(), message: z.string(), hint: z.string() });
export type ApiError = z.infer<typeof apiError>;

/** `output` is the text that a hook would print, parsed. */
export const hookAnswer = z.object({
  id: z.string(),
  duplicate: z.boolean(),
  session: z.string(),
  agent: z.string(),
  output: z.unknown(),
});
export type HookAnswer = z.infer<typeof hookAnswer>;

/** Sent by a command that an agent started, so that the daemon refuses requests that only a person may make. */
export const agentHeader = "x-rookery-agent";

export const sessionCreate = z.strictObject({
  id: z.string().min(1).max(200),
  cwd: z.string().min(1).max(8192),
  transcriptPath: z.string().max(8192).optional(),
  model: z.string().max(200).optional(),
  title: z.string().max(500).optional(),
  hostPid: hostPid.optional(),
});

export const sessionPatch = z.strictObject({
  title: z.string().max(500).optional(),
  status: z.enum(["active", "ended"]).optional(),
  hostPid: z
    .number()
    .int()
    .positive()
    .optional()
    .describe("the process that represents the session, in hosts whose processes run several sessions"),
});

export const sessionView = z.object({
  id: z.string(),
  /** The name of the coding agent that runs it, and as people know it; "" if it is not known. */
  host: z.string(),
  hostLabel: z.string(),
  agent: z.string(),
  project: z.string(),
  /** Identifies the project: two may share a name. */
  projectPath: z.string(),
  cwd: z.string().nullable(),
  source: z.string(),
  model: z.string().nullable(),
  title: z.string().nullable(),
  /** Its first prompt, shortened. */
  asked: z.string().nullable(),
  branch: z.string().nullable(),
  status: z.enum(["active", "ended"]),
  endReason: z.string().nullable(),
  startedAt: time,
  lastEventAt: time,
  counts: z.object({
    prompts: z.number(),
    toolUses: z.number(),
    events: z.number(),
    notes: z.number(),
    /** The older name of `notes`. */
    observations: z.number(),
  }),
});
export type SessionView = z.infer<typeof sessionView>;

/** `waiting`: the person must answer a question or a dialog. */
const agentStatus = z.enum(["working", "idle", "waiting", "gone"]);
export type AgentStatus = z.infer<typeof agentStatus>;

export const agentView = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string(),
  status: agentStatus,
  session: z.string().nullable(),
  branch: z.string().nullable(),
  /** The coding agent that runs its latest session. */
  host: z.string().nullable(),
  /** Its latest prompt, shortened. */
  focus: z.string().nullable(),
  /** Unread messages. */
  waiting: z.number(),
});
export type AgentView = z.infer<typeof agentView>;

export const deliveryCreate = z.strictObject({
  to: z.string().min(1).max(200).describe("an agent's name"),
  body: z.string().min(1).max(100_000),
  from: z
    .string()
    .min(1)
    .max(120)
    .default("someone through the API")
    .describe("the name of a person's program; an agent always has its own"),
  source: z.string().min(1).max(40).default("api"),
  hostPid: hostPid.optional(),
});

export const deliveryState = z.enum(["queued", "injected", "confirmed"]);

export const deliveryView = z.object({
  id: z.string(),
  agent: z.string(),
  kind: z.string(),
  from: z.string(),
  source: z.string(),
  body: z.string(),
  state: deliveryState,
  attempts: z.number(),
  session: z.string().nullable(),
  point: z.string().nullable(),
  createdAt: time,
  injectedAt: time.nullable(),
  confirmedAt: time.nullable(),
  /** The message that it carries, if any. */
  message: z.string().nullable(),
});
export type DeliveryView = z.infer<typeof deliveryView>;

/** A client asks the daemon to stop, to replace it or because the user requested it; "restore" is for a person only. */
export const stopRequest = z.strictObject({
  reason: z.enum(["stop", "restart", "handover", "restore"]).default("stop"),
  version: z.string().optional(),
  build: z.string().optional(),
  builtAt: z.number().optional(),
});

/** `daemon.json` in the home: which daemon runs and how to reach it. */
export const daemonFile = z.looseObject({
  pid: z.number().int().positive(),
  version: z.string(),
  build: z.string(),
  builtAt: z.number(),
  port: z.number().int(),
  startedAt: z.number(),
  /** Path of the unix socket, or of the named pipe. */
  socket: z.string().optional(),
  /** Port of the embedded homeserver, once it listens. */
  matrixPort: z.number().int().optional(),
});
export type DaemonFile = z.infer<typeof daemonFile>;
