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
  deliveries: { queued: number; injected: number; confirmed: number };
  presence: PresenceView;
  channels: ChannelView[];
  /** Messages to the person: held back for now, on their way, given up. */
  outbox: { held: number; waiting: number; parked: number };
  /** Per event, as the hook's own clock saw it. */
  hooks: Record<string, { count: number; p50Ms: number; p95Ms: number }>;
  counts: { events: Record<string, number>; rejected: number };
}
