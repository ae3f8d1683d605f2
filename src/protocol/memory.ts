import * as z from "zod";

export const memoryKinds = ["observation", "summary", "prompt", "question", "message"] as const;
export const memoryTypes = [
  "decision",
  "preference",
  "bugfix",
  "feature",
  "refactor",
  "change",
  "discovery",
  "gotcha",
  "problem-solution",
] as const;

/** `GET /api/search` */
export const searchRequest = z.strictObject({
  q: z.string().max(8_000).default(""),
  /** Somebody is typing it: the last word may go on. */
  typing: z.enum(["0", "1"]).default("0"),
  kind: z.enum(memoryKinds).optional(),
  project: z.string().max(8192).optional(),
  type: z.enum(memoryTypes).optional(),
  file: z.string().max(8192).optional(),
  folder: z.string().max(8192).optional(),
  session: z.string().max(200).optional(),
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
  limit: z.coerce.number().int().min(1).max(100).default(10),
});
export type SearchRequest = z.infer<typeof searchRequest>;

export interface SearchResult {
  id: string;
  kind: (typeof memoryKinds)[number];
  title: string;
  type: string | null;
  project: string;
  session: string | null;
  createdAt: number;
  score: number;
  snippet: string;
  /** What made it match: words of the query, its meaning, its neighbours in the session. */
  why: string;
  /** The note that took its place. */
  supersededBy: string | null;
}

/** `POST /api/observations` */
export const observationCreate = z.strictObject({
  project: z.string().min(1).max(8192),
  session: z.string().max(200).optional(),
  type: z.enum(memoryTypes).default("discovery"),
  title: z.string().max(300).optional(),
  text: z.string().min(1).max(100_000),
  files: z.array(z.string().max(8192)).max(50).default([]),
  /** As far as a UUIDv7 can tell time. */
  createdAt: z
    .number()
    .int()
    .positive()
    .max(2 ** 48 - 1)
    .optional(),
});
export type ObservationCreate = z.infer<typeof observationCreate>;

export const observationPatch = z.strictObject({
  type: z.enum(memoryTypes).optional(),
  title: z.string().min(1).max(300).optional(),
  text: z.string().min(1).max(100_000).optional(),
  /** The newer note that takes its place; null: it holds again. */
  supersededBy: z.string().min(1).max(60).nullable().optional(),
  /** Pinned notes come first at the start of every session. */
  pinned: z.boolean().optional(),
});

export interface ObservationView {
  id: string;
  type: string;
  title: string;
  text: string;
  facts: string[];
  concepts: string[];
  filesRead: string[];
  filesModified: string[];
  project: string;
  worktree: string | null;
  session: string | null;
  promptNumber: number | null;
  sourceEvents: string[];
  tokens: number;
  provenance: string;
  createdAt: number;
  supersededBy: string | null;
  supersededBecause: string | null;
  /** When the user pinned it; null for a note that is not pinned. */
  pinnedAt: number | null;
  /** Those whose place it took. */
  supersedes: string[];
}

/** `GET /api/timeline` */
export interface TimelineView {
  around: string;
  before: ObservationView[];
  at: ObservationView;
  after: ObservationView[];
  /** What was replaced on the way to what holds now, oldest first; empty if nothing was. */
  chain: ObservationView[];
}

/** `GET /api/context`: what is not given is as configured. */
export const contextRequest = z.strictObject({
  project: z.string().min(1).max(8192),
  observations: z.coerce.number().int().min(0).max(500).optional(),
  summaries: z.coerce.number().int().min(0).max(50).optional(),
  tokens: z.coerce.number().int().min(0).max(2400).optional(),
});
export type ContextRequest = z.infer<typeof contextRequest>;

/** The context of a session that starts, and why each row is in it. */
export interface ContextView {
  text: string;
  tokens: number;
  rows: ContextRowView[];
}

export interface ContextRowView {
  section: "pinned" | "rules" | "decisions" | "knowledge" | "open" | "diary";
  /** Of a note, or of the summary of a session. */
  id: string;
  kind: "note" | "session";
  text: string;
  tokens: number;
  score: number;
  /** The factors of the score, by name. */
  parts: Record<string, number>;
}

export interface InjectionView {
  session: string;
  kind: string;
  id: string;
  title: string;
  point: string;
  reason: string;
  score: number | null;
  tokens: number;
  at: number;
}

export interface ProjectView {
  id: string;
  name: string;
  path: string;
  mode: "on" | "off" | "isolated";
  /** What happens when an agent edits under another's lease. */
  leases: "warn" | "block";
  observations: number;
}

export const projectPatch = z
  .strictObject({
    mode: z.enum(["on", "off", "isolated"]).optional(),
    leases: z.enum(["warn", "block"]).optional(),
  })
  .refine(({ mode, leases }) => mode ?? leases, "mode or leases is required");

/** `GET /api/today` */
export interface DayView {
  from: number;
  sessions: {
    id: string;
    agent: string;
    project: string;
    branch: string | null;
    status: string;
    turns: { request: string; completed: string; nextSteps: string; at: number }[];
  }[];
}
