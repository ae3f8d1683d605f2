import * as z from "zod";

/** The body of every error answer. */
export interface ApiError {
  code: string;
  message: string;
  hint: string;
}

/** `POST /api/hooks/:event` answers this. `output` is what a hook would print. */
export interface HookAnswer {
  id: string;
  duplicate: boolean;
  session: string;
  agent: string;
  output: unknown;
}

/** Sent by a command that an agent started: the daemon refuses it what only a person may decide. */
export const agentHeader = "x-rookery-agent";

export const sessionCreate = z.strictObject({
  id: z.string().min(1).max(200),
  cwd: z.string().min(1).max(8192),
  transcriptPath: z.string().max(8192).optional(),
  model: z.string().max(200).optional(),
  title: z.string().max(500).optional(),
});

export const sessionPatch = z.strictObject({
  title: z.string().max(500).optional(),
  status: z.enum(["active", "ended"]).optional(),
});

export interface SessionView {
  id: string;
  agent: string;
  project: string;
  /** What identifies it: two projects may share a name. */
  projectPath: string;
  cwd: string | null;
  source: string;
  model: string | null;
  title: string | null;
  /** What it was asked first, shortened. */
  asked: string | null;
  branch: string | null;
  status: "active" | "ended";
  endReason: string | null;
  startedAt: number;
  lastEventAt: number;
  counts: { prompts: number; toolUses: number; events: number; observations: number };
}

/** `waiting`: for its person, to answer a question or a dialog. */
export type AgentStatus = "working" | "idle" | "waiting" | "gone";

export interface AgentView {
  id: string;
  name: string;
  project: string;
  status: AgentStatus;
  session: string | null;
  branch: string | null;
  /** What it was asked last, shortened. */
  focus: string | null;
  waiting: number;
}

export const deliveryCreate = z.strictObject({
  to: z.string().min(1).max(200),
  body: z.string().min(1).max(100_000),
  /** What a person's program calls itself; an agent has its own name. */
  from: z.string().min(1).max(120).default("someone through the API"),
  source: z.string().min(1).max(40).default("api"),
  /** The process of the host that speaks for an agent. */
  hostPid: z.number().int().positive().optional(),
});

export interface DeliveryView {
  id: string;
  agent: string;
  kind: string;
  from: string;
  source: string;
  body: string;
  state: "queued" | "injected" | "confirmed";
  attempts: number;
  session: string | null;
  point: string | null;
  createdAt: number;
  injectedAt: number | null;
  confirmedAt: number | null;
  /** The message it brings, if it brings one. */
  message: string | null;
}

/** `POST /api/stop`: a client asks the daemon to end, to take its place or because the user said so. */
export const stopRequest = z.strictObject({
  reason: z.enum(["stop", "restart", "handover"]).default("stop"),
  version: z.string().optional(),
  build: z.string().optional(),
  builtAt: z.number().optional(),
});

/** `daemon.json` in the home: who runs and how to reach it. */
export const daemonFile = z.looseObject({
  pid: z.number().int().positive(),
  version: z.string(),
  build: z.string(),
  builtAt: z.number(),
  port: z.number().int(),
  startedAt: z.number(),
  /** Where the embedded homeserver listens, once it does. */
  matrixPort: z.number().int().optional(),
});

export type DaemonFile = z.infer<typeof daemonFile>;
