/** An event as a timeline holds it; nothing in it is trusted. */
export interface TimelineEvent {
  event_id: string;
  type: string;
  sender: string;
  origin_server_ts: number;
  content: Record<string, unknown>;
  state_key?: string;
}

/** What we read of an answer to `/sync`. Servers leave out what is empty. */
export interface SyncAnswer {
  next_batch: string;
  rooms?: {
    join?: Record<
      string,
      {
        timeline?: { events?: TimelineEvent[]; limited?: boolean; prev_batch?: string };
        state?: { events?: TimelineEvent[] };
      }
    >;
    invite?: Record<string, { invite_state?: { events?: TimelineEvent[] } }>;
    leave?: Record<string, object>;
  };
}
