import * as z from "zod";
import type { InjectionView, ObservationView } from "./memory.ts";
import { memoryKinds, memoryTypes } from "./memory.ts";

/** `POST /api/viewer/codes`: an address that lets one browser tab in, once. */
export interface CodeView {
  url: string;
  expiresAt: number;
}

/** `POST /viewer/token` */
export const codeRedeem = z.strictObject({ code: z.string().min(1).max(200) });

/** `GET /api/now` */
export interface NowView {
  sessions: RunningView[];
}

export interface RunningView {
  id: string;
  /** The process of its host, where that is known. */
  pid: number | null;
  agent: string;
  project: string;
  branch: string | null;
  title: string | null;
  model: string | null;
  /** `waiting`: for an answer or a permission in its terminal, as far as its last event tells. */
  state: "working" | "idle" | "waiting";
  /** The newest thing it was heard of. */
  doing: { event: string; tool: string | null; about: string; at: number } | null;
  /** What it was last asked by its human. */
  prompt: string | null;
  /** Deliveries that wait for it. */
  queued: number;
  startedAt: number;
  lastEventAt: number;
}

/** `GET /api/browse` */
export const browseRequest = z.strictObject({
  kind: z.enum(memoryKinds).default("observation"),
  project: z.string().max(8192).optional(),
  type: z.enum(memoryTypes).optional(),
  file: z.string().max(8192).optional(),
  from: z.coerce.number().optional(),
  to: z.coerce.number().optional(),
  /** Only this note and older ones: a list that is being read does not move when new notes come in. */
  until: z.string().max(200).optional(),
  skip: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type BrowseRequest = z.infer<typeof browseRequest>;

export interface BrowseView {
  observations: NoteLine[];
  /** How many there are in all; told with the first page only. */
  total?: number;
}

/** A note, or whatever else is remembered, as a list shows it. */
export interface NoteLine
  extends Pick<ObservationView, "id" | "title" | "project" | "session" | "createdAt"> {
  kind: (typeof memoryKinds)[number];
  /** Null for what is no note. */
  type: string | null;
  snippet: string;
}

/** `GET /api/observations/:id/sources` */
export interface SourcesView {
  events: SourceEvent[];
  /** Where the note was put before a session. */
  injections: (InjectionView & { agent: string })[];
}

export interface SourceEvent {
  id: string;
  event: string;
  tool: string | null;
  at: number;
  via: string;
  /** As it was stored: redacted JSON, cut to what one wants to read. */
  payload: string;
}

/** `GET /api/sessions/:id/story` */
export interface StoryView {
  /** Oldest first. */
  turns: StoryTurn[];
  /** How many turns came before these. */
  earlier: number;
  files: { path: string; reads: number; edits: number }[];
}

export interface StoryTurn {
  number: number;
  kind: "human" | "machine" | "unseen";
  outcome: string | null;
  startedAt: number;
  endedAt: number | null;
  prompts: { text: string; isMachine: boolean; at: number }[];
  tools: StoryTool[];
  /** Tool uses beyond those told here. */
  moreTools: number;
  said: string | null;
  summary: StorySummary | null;
  notes: { id: string; type: string; title: string }[];
}

export interface StoryTool {
  tool: string;
  about: string;
  hasFailed: boolean;
  bySubagent: boolean;
  at: number;
}

export interface StorySummary {
  request: string;
  investigated: string;
  learned: string;
  completed: string;
  nextSteps: string;
  notes: string;
}

/** `GET /api/series`: what the daemon has seen of itself since it started, oldest first. */
export interface SeriesView {
  everyMs: number;
  samples: HealthSample[];
}

export interface HealthSample {
  at: number;
  hooks: number;
  /** Null where no hook called in that stretch of time. */
  hookP50Ms: number | null;
  hookP95Ms: number | null;
  queue: number;
  spoolFiles: number;
  spoolBytes: number;
  databaseBytes: number;
  rssBytes: number;
}

/** `GET /api/savings`: the formula is in docs/viewer.md. */
export interface SavingsView {
  /** Oldest first; days on which nothing was injected are left out. */
  days: { day: string; injected: number; saved: number }[];
  injected: number;
  saved: number;
  /** Rows of the index that sessions started with, and notes that were put before one in full. */
  indexRows: number;
  recalled: number;
}
