import type { Database } from "../sqlite/sqlite.ts";
import { openRowTable } from "./row-table.ts";

type MessageState = "queued" | "sent" | "failed" | "received";

export interface MessageRow {
  id: string;
  eventId: string | null;
  roomId: string | null;
  address: string;
  sender: string;
  userId: string | null;
  /** Null if the sender is not an agent of this machine. */
  agentId: string | null;
  /** Whether an agent wrote it, on this machine or another. */
  isAgent: boolean;
  kind: "text" | "task" | "lease";
  body: string;
  extra: string | null;
  replyTo: string | null;
  hops: number;
  state: MessageState;
  attempts: number;
  dueAt: number;
  error: string | null;
  createdAt: number;
}

interface NewMessages {
  all: number;
  addressed: number;
}

export interface MessageTable {
  insert(message: MessageRow): void;
  update(message: MessageRow): void;
  byId(id: string): MessageRow | undefined;
  byEvent(eventId: string): MessageRow | undefined;
  /** The oldest queued message of each sender to each address: order is kept within such a lane. */
  listLaneHeads(): MessageRow[];
  /** The next queued message of this lane. */
  findLaneHead(agentId: string | null, address: string): MessageRow | undefined;
  /** Messages of all rooms, newest first. */
  recent(limit: number): MessageRow[];
  /** Newest first. */
  ofRoom(roomId: string, limit: number, before: number): MessageRow[];
  /** The newest message of a room among those that the homeserver has. */
  findNewestSent(roomId: string): { eventId: string; createdAt: number } | undefined;
  /** Messages from the person to one of these addresses that are in no room yet, newest first. */
  listWithoutRoom(addresses: readonly string[], limit: number, before: number): MessageRow[];
  /**
   * Messages from others in a room since then, and how many of them are from people, mention the user by this name or
   * reply to one of their messages. Lease notices are for reference and do not count.
   */
  countNew(roomId: string, since: number, user: { id: string; name: string }): NewMessages;
  /** Times at which an agent recently wrote: to anyone, or to one address. */
  listSendTimes(agentId: string, since: number, address?: string): number[];
  /**
   * The highest hop count of the agents' messages that this agent was given since a person last wrote to it; -1 if
   * there are none. `since` is when the person last spoke in its session.
   */
  maxHopsTo(agentId: string, since: number): number;
  /** Messages from others to a user in direct rooms, newest first. */
  listToUser(userId: string, limit: number, before: number): MessageRow[];
  /** Messages that were sent or received before this time. */
  listOld(roomId: string, before: number): MessageRow[];
  remove(ids: readonly string[]): void;
  countByState(): Record<MessageState, number>;
}

const columns =
  "id, event_id, room_id, address, sender, user_id, agent_id, is_agent, kind, body, extra, reply_to, hops, state, attempts, due_at, error, created_at";

export function openMessageTable(db: Database, origin: string): MessageTable {
  const table = openRowTable<MessageRow>(db, "messages", columns);
  const { select } = table;
  const one = (sql: string, ...values: (string | number | null)[]): MessageRow | undefined =>
    db.all<Row>(`${select} ${sql}`, ...values).map(fromRow)[0];
  const all = (sql: string, ...values: (string | number | null)[]): MessageRow[] =>
    db.all<Row>(`${select} ${sql}`, ...values).map(fromRow);
  return {
    insert(message) {
      table.insert(message, { origin });
    },
    update(message) {
      table.update(message, "event_id, room_id, user_id, state, attempts, due_at, error");
    },
    byId: (id) => one("WHERE id = ?", id),
    byEvent: (eventId) => one("WHERE event_id = ?", eventId),
    listLaneHeads: () =>
      all(
        `WHERE rowid IN (SELECT min(rowid) FROM messages WHERE state = 'queued' GROUP BY agent_id, address) ORDER BY rowid`,
      ),
    findLaneHead: (agentId, address) =>
      one(
        "WHERE state = 'queued' AND agent_id IS ? AND address = ? ORDER BY rowid LIMIT 1",
        agentId,
        address,
      ),
    ofRoom: (roomId, limit, before) =>
      all(
        "WHERE room_id = ? AND created_at < ? ORDER BY created_at DESC, rowid DESC LIMIT ?",
        roomId,
        before,
        limit,
      ),
    findNewestSent: (roomId) =>
      db.get<{ eventId: string; createdAt: number }>(
        `SELECT event_id AS eventId, created_at AS createdAt FROM messages WHERE room_id = ? AND event_id IS NOT NULL
         ORDER BY created_at DESC, rowid DESC LIMIT 1`,
        roomId,
      ),
    recent: (limit) => all("ORDER BY rowid DESC LIMIT ?", limit),
    listWithoutRoom: (addresses, limit, before) =>
      all(
        `WHERE room_id IS NULL AND agent_id IS NULL AND address IN (SELECT value FROM json_each(?)) AND created_at < ?
         ORDER BY created_at DESC, rowid DESC LIMIT ?`,
        JSON.stringify(addresses),
        before,
        limit,
      ),
    countNew: (roomId, since, user) =>
      db.get<NewMessages>(
        `SELECT count(*) AS "all",
           coalesce(sum(is_agent = 0 OR instr(lower(body), '@' || ?4) > 0
             OR EXISTS (SELECT 1 FROM messages q WHERE q.id = m.reply_to AND q.user_id = ?3)), 0) AS addressed
         FROM messages m WHERE room_id = ?1 AND created_at > ?2 AND user_id IS NOT ?3 AND kind <> 'lease'`,
        roomId,
        since,
        user.id,
        user.name.toLowerCase(),
      ) ?? { all: 0, addressed: 0 },
    listToUser: (userId, limit, before) =>
      all(
        `WHERE room_id IN (SELECT id FROM rooms WHERE kind = 'direct' AND (key LIKE ?1 || ' %' OR key LIKE '% ' || ?2))
           AND user_id IS NOT ?2 AND created_at < ?3 ORDER BY created_at DESC, rowid DESC LIMIT ?4`,
        `direct:${userId}`,
        userId,
        before,
        limit,
      ),
    listSendTimes: (agentId, since, address) =>
      db
        .all<{ at: number }>(
          `SELECT created_at AS at FROM messages WHERE agent_id = ?1 AND created_at > ?2 AND state <> 'received'
             AND (?3 IS NULL OR address = ?3)`,
          agentId,
          since,
          address ?? null,
        )
        .map(({ at }) => at),
    maxHopsTo: (agentId, since) =>
      db.get<{ hops: number }>(
        `WITH seen AS (
           SELECT m.hops, m.is_agent, d.injected_at FROM deliveries d JOIN messages m ON m.id = d.message_id
           WHERE d.agent_id = ?1 AND d.injected_at > ?2)
         SELECT coalesce(max(hops), -1) AS hops FROM seen
         WHERE is_agent = 1 AND injected_at >= coalesce((SELECT max(injected_at) FROM seen WHERE is_agent = 0), 0)`,
        agentId,
        since,
      )?.hops ?? -1,
    listOld: (roomId, before) =>
      all("WHERE room_id = ? AND created_at < ? AND state <> 'queued'", roomId, before),
    remove(ids) {
      for (const id of ids) db.run("DELETE FROM messages WHERE id = ?", id);
    },
    countByState() {
      const counts: Record<MessageState, number> = { queued: 0, sent: 0, failed: 0, received: 0 };
      const rows = db.all<{ state: MessageState; n: number }>(
        "SELECT state, count(*) AS n FROM messages GROUP BY state",
      );
      for (const row of rows) counts[row.state] = row.n;
      return counts;
    },
  };
}

type Row = Omit<MessageRow, "isAgent"> & { isAgent: number };

function fromRow(row: Row): MessageRow {
  return { ...row, isAgent: row.isAgent === 1 };
}
