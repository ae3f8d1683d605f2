import type { Database } from "../sqlite/sqlite.ts";
import { openRowTable } from "./row-table.ts";

type DeliveryState = "queued" | "injected" | "confirmed";

export interface DeliveryRow {
  id: string;
  agentId: string;
  kind: string;
  sender: string;
  source: string;
  body: string;
  state: DeliveryState;
  attempts: number;
  sessionId: string | null;
  injectionPoint: string | null;
  transcriptPath: string | null;
  transcriptOffset: number | null;
  createdAt: number;
  injectedAt: number | null;
  confirmedAt: number | null;
  confirmedBy: string | null;
  /** The message it delivers, if any. */
  messageId: string | null;
}

interface Injection {
  sessionId: string;
  injectionPoint: string;
  transcriptPath: string | null;
  transcriptOffset: number;
  injectedAt: number;
}

interface NewDelivery
  extends Pick<DeliveryRow, "id" | "agentId" | "kind" | "sender" | "source" | "body" | "createdAt"> {
  /** The message it delivers, if any. */
  messageId?: string;
}

export interface DeliveryTable {
  /** False if this message was already queued for this agent. */
  queue(delivery: NewDelivery): boolean;
  byId(id: string): DeliveryRow | undefined;
  /** Deliveries whose id ends with this suffix, as people type it. */
  byShortId(end: string): DeliveryRow[];
  /** Unconfirmed deliveries to an agent, oldest first. */
  openFor(agentId: string): DeliveryRow[];
  injected(): DeliveryRow[];
  ofAgent(agentId: string, limit: number): DeliveryRow[];
  /** Deliveries of a message, one per recipient. */
  ofMessage(messageId: string): DeliveryRow[];
  markInjected(id: string, injection: Injection): void;
  markScanned(id: string, transcriptOffset: number): void;
  /** False if it was already confirmed. */
  markConfirmed(id: string, by: "transcript" | "tool", at: number): boolean;
  /** Removes the deliveries of deleted messages, except those still pending. */
  removeMessages(messageIds: readonly string[]): void;
  countByState(): Record<DeliveryState, number>;
}

const columns = `id, agent_id, kind, sender, source, body, state, attempts, session_id, injection_point, transcript_path,
  transcript_offset, created_at, injected_at, confirmed_at, confirmed_by, message_id`;
const once = "ON CONFLICT (message_id, agent_id) WHERE message_id IS NOT NULL DO NOTHING";

export function openDeliveryTable(db: Database, origin: string): DeliveryTable {
  const table = openRowTable<DeliveryRow>(db, "deliveries", columns);
  const { select } = table;
  return {
    queue: (delivery) => table.insert({ ...delivery, state: "queued" }, { origin }, once),
    byId: (id) => db.get<DeliveryRow>(`${select} WHERE id = ?`, id),
    byShortId: (end) => db.all<DeliveryRow>(`${select} WHERE substr(id, -length(?1)) = ?1 LIMIT 2`, end),
    openFor: (agentId) =>
      db.all<DeliveryRow>(
        `${select} WHERE agent_id = ? AND state <> 'confirmed' ORDER BY created_at, rowid`,
        agentId,
      ),
    injected: () => db.all<DeliveryRow>(`${select} WHERE state <> 'confirmed' AND state = 'injected'`),
    ofAgent: (agentId, limit) =>
      db.all<DeliveryRow>(
        `${select} WHERE agent_id = ? ORDER BY created_at DESC, id DESC LIMIT ?`,
        agentId,
        limit,
      ),
    ofMessage: (messageId) =>
      db.all<DeliveryRow>(`${select} WHERE message_id = ? ORDER BY created_at, id`, messageId),
    markInjected(id, i) {
      db.run(
        `UPDATE deliveries SET state = 'injected', attempts = attempts + 1, session_id = ?, injection_point = ?,
           transcript_path = ?, transcript_offset = ?, injected_at = ? WHERE id = ? AND state <> 'confirmed'`,
        i.sessionId,
        i.injectionPoint,
        i.transcriptPath,
        i.transcriptOffset,
        i.injectedAt,
        id,
      );
    },
    markScanned(id, transcriptOffset) {
      db.run("UPDATE deliveries SET transcript_offset = ? WHERE id = ?", transcriptOffset, id);
    },
    markConfirmed: (id, by, at) =>
      db.run(
        "UPDATE deliveries SET state = 'confirmed', confirmed_by = ?, confirmed_at = ? WHERE id = ? AND state <> 'confirmed'",
        by,
        at,
        id,
      ).changes === 1,
    removeMessages(messageIds) {
      for (const id of messageIds)
        db.run("DELETE FROM deliveries WHERE message_id = ? AND state = 'confirmed'", id);
    },
    countByState() {
      const counts: Record<DeliveryState, number> = { queued: 0, injected: 0, confirmed: 0 };
      const rows = db.all<{ state: DeliveryState; n: number }>(
        "SELECT state, count(*) AS n FROM deliveries GROUP BY state",
      );
      for (const row of rows) counts[row.state] = row.n;
      return counts;
    },
  };
}
