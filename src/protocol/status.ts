import type { RetentionState } from "./care.ts";
import type { ChannelView, PresenceView } from "./reach.ts";

/** `GET /api/status` */
export interface StatusReport {
  status: "ok" | "paused";
  reason?: string;
  version: string;
  build: string;
  pid: number;
  home: string;
  url: string;
  uptimeMs: number;
  rssBytes: number;
  database: { bytes: number; walBytes: number; setAside: string | null };
  spool: { files: number; bytes: number; rejected: number };
  /** Events taken in but not yet committed. */
  queue: number;
  events: number;
  sessions: { active: number; total: number };
  agents: number;
  monitors: number;
  /** Hooks that wait for an answer from elsewhere than the terminal. */
  waiting: number;
  questions: number;
  deliveries: { queued: number; injected: number; confirmed: number };
  retention: RetentionState;
  presence: PresenceView;
  channels: ChannelView[];
  /** Messages to the person: held back for now, on their way, given up. */
  outbox: { held: number; waiting: number; parked: number };
  /** The embedded homeserver; null where there is none, or none that answers. */
  matrix: MatrixStatus | null;
  /** Null where there is no embedded homeserver. */
  homeserver: HomeserverHealth | null;
  /** Per event, as the hook's own clock saw it. */
  hooks: Record<string, { count: number; p50Ms: number; p95Ms: number }>;
  model: ModelReport;
  /** Person-only settings that were changed without a person: not in force until one accepts them. */
  unconfirmedSettings: string[];
  counts: { events: Record<string, number>; rejected: number };
}

/** What the model that distils turns is doing and costs; see `GET /api/spend` for the ledger. */
export interface ModelReport {
  provider: string;
  name: string;
  /** `spent`: today's budget; turns are kept without a model until tomorrow. */
  state: "off" | "ready" | "paused" | "spent";
  /** Why it is paused or spent. */
  reason: string;
  /** Turns that wait for it. */
  waiting: number;
  today: { calls: number; tokens: number; usd: number };
  budget: { tokens: number; usd: number };
  /** US dollars per million tokens; null where it is not known. */
  price: { input: number; output: number } | null;
}

/** The homeserver's thread. `unresponsive`: it has not answered for two seconds; `failed`: it is not started again. */
export interface HomeserverHealth {
  state: "starting" | "ready" | "unresponsive" | "failed";
  /** How often it did not respond since the daemon started. */
  stalls: number;
}

export interface MatrixStatus {
  url: string;
  users: number;
  rooms: number;
  events: number;
  /** Long polls held now. */
  waiting: number;
  isRegistrationOpen: boolean;
  bytes: number;
}

/** The part that needs no database query. */
export type Load = Pick<StatusReport, "rssBytes" | "database" | "spool" | "queue">;
