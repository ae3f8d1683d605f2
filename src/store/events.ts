import type { Database } from "../sqlite/sqlite.ts";
import type { AgentEvent, ToolKind } from "../protocol/agent-events.ts";
import { openRowTable } from "./row-table.ts";

export interface EventRow {
  id: string;
  event: AgentEvent;
  sessionId: string;
  turnId: string | null;
  subagentId: string | null;
  /** The host's name of the tool. */
  toolName: string | null;
  toolKind: ToolKind | null;
  toolUseId: string | null;
  /** The file that the tool call concerns. */
  filePath: string | null;
  payload: string;
  bytes: number;
  via: "hook" | "spool" | "api" | "transcript";
  occurredAt: number;
  storedAt: number;
}

export interface SessionActivity {
  event: string;
  tool: string | null;
  message: string | null;
  /** JSON. */
  input: string | null;
  at: number;
}

export interface EventTable {
  insert(event: EventRow): void;
  byId(id: string): EventRow | undefined;
  /** The session that already has this event: the same id, or the same fact about the same tool use. */
  findKnown(
    id: string,
    event: AgentEvent,
    sessionId: string,
    toolUseId: string | undefined,
  ): string | undefined;
  /** Whether a hook or the transcript already recorded how this tool use ended. */
  hasResult(sessionId: string, toolUseId: string): boolean;
  /** Turns the result of a tool use into a failure; returns the number of changed events. */
  markFailed(sessionId: string, toolUseId: string, error: string): number;
  /** The subagents of a turn that have ended, with their transcripts. */
  listSubagents(
    sessionId: string,
    turnId: string,
    since: number,
  ): { subagentId: string; transcriptPath: string }[];
  /** Files edited in a session since then, each once. */
  filesEdited(sessionId: string, since: number): string[];
  /** The latest calls of a tool, as recorded before they ran, newest first. */
  latestCalls(sessionId: string, toolName: string, limit: number): EventRow[];
  /** A tool use, as recorded before it ran. */
  findCall(sessionId: string, toolUseId: string): EventRow | undefined;
  ofSession(sessionId: string): EventRow[];
  /** Removes up to `limit` events received before this one, oldest first, except those of turns not yet distilled. */
  removeBefore(seq: number, limit: number): number;
  /** The newest event of a session. */
  latest(sessionId: string): Pick<EventRow, "event" | "toolKind"> | undefined;
  /** Like `latest`, with the payload fields that show what the session is doing. */
  latestActivity(sessionId: string): SessionActivity | undefined;
  total(): number;
}

const columns = `id, event, session_id, turn_id, subagent_id, tool_name, tool_kind, tool_use_id, file_path, payload, bytes, via,
  occurred_at, stored_at`;

export function openEventTable(db: Database, origin: string): EventTable {
  const table = openRowTable<EventRow>(db, "events", columns);
  const { select } = table;
  return {
    insert(event) {
      table.insert(event, { origin });
    },
    byId: (id) => db.get<EventRow>(`${select} WHERE id = ?`, id),
    findKnown(id, event, sessionId, toolUseId) {
      const known = db.get<{ sessionId: string }>(
        "SELECT session_id AS sessionId FROM events WHERE id = ?",
        id,
      );
      if (known || toolUseId === undefined) return known?.sessionId;
      const sql = "SELECT 1 FROM events WHERE session_id = ? AND tool_use_id = ? AND event = ?";
      return db.get(sql, sessionId, toolUseId, event) && sessionId;
    },
    hasResult: (sessionId, toolUseId) =>
      db.get(
        "SELECT 1 FROM events WHERE session_id = ? AND tool_use_id = ? AND event IN ('tool.after', 'tool.failed')",
        sessionId,
        toolUseId,
      ) !== undefined,
    markFailed: (sessionId, toolUseId, error) =>
      db.run(
        `UPDATE events SET event = 'tool.failed', payload = json_set(payload, '$.error', ?)
         WHERE session_id = ? AND tool_use_id = ? AND event = 'tool.after'`,
        error,
        sessionId,
        toolUseId,
      ).changes,
    listSubagents: (sessionId, turnId, since) =>
      db.all(
        `SELECT DISTINCT subagent_id AS subagentId, payload ->> '$.agent_transcript_path' AS transcriptPath FROM events
         WHERE session_id = ? AND occurred_at >= ? AND turn_id = ? AND event = 'subagent.ended'
           AND subagent_id IS NOT NULL AND payload ->> '$.agent_transcript_path' IS NOT NULL`,
        sessionId,
        since,
        turnId,
      ),
    filesEdited: (sessionId, since) =>
      db
        .all<{ path: string }>(
          `SELECT DISTINCT file_path AS path FROM events
           WHERE session_id = ? AND occurred_at >= ? AND event = 'tool.after' AND tool_kind = 'edit' AND file_path IS NOT NULL`,
          sessionId,
          since,
        )
        .map(({ path }) => path),
    latestCalls: (sessionId, toolName, limit) =>
      db.all<EventRow>(
        `${select} WHERE session_id = ? AND event = 'tool.before' AND tool_name = ?
         ORDER BY occurred_at DESC, seq DESC LIMIT ?`,
        sessionId,
        toolName,
        limit,
      ),
    findCall: (sessionId, toolUseId) =>
      db.get<EventRow>(
        `${select} WHERE session_id = ? AND tool_use_id = ? AND event = 'tool.before'`,
        sessionId,
        toolUseId,
      ),
    latest: (sessionId) =>
      db.get<Pick<EventRow, "event" | "toolKind">>(
        "SELECT event, tool_kind AS toolKind FROM events WHERE session_id = ? ORDER BY occurred_at DESC, seq DESC LIMIT 1",
        sessionId,
      ),
    latestActivity: (sessionId) =>
      db.get<SessionActivity>(
        `SELECT event, tool_name AS tool,
           payload ->> '$.message' AS message, payload -> '$.tool_input' AS input, occurred_at AS at
         FROM events WHERE session_id = ? ORDER BY occurred_at DESC, seq DESC LIMIT 1`,
        sessionId,
      ),
    ofSession: (sessionId) =>
      db.all<EventRow>(`${select} WHERE session_id = ? ORDER BY occurred_at, seq`, sessionId),
    removeBefore: (seq, limit) =>
      db.run(
        `DELETE FROM events WHERE seq IN (SELECT e.seq FROM events e LEFT JOIN turns t ON t.id = e.turn_id
         WHERE e.seq < ? AND (t.id IS NULL OR t.distilled_at IS NOT NULL) ORDER BY e.seq LIMIT ?)`,
        seq,
        limit,
      ).changes,
    // max(seq) is an upper bound of the row count; counting a million rows would cost milliseconds per status call.
    total: () => db.get<{ n: number }>("SELECT coalesce(max(seq), 0) AS n FROM events")?.n ?? 0,
  };
}

export interface EventLimits {
  /** Events stored before this time are too old. */
  before: number;
  maxBytes: number;
}

export interface EventMeasure {
  bytes: number;
  oldestAt: number | null;
  /** Events received before this one are removed. */
  cutoff: number;
}

/** Approximate size of a row's other columns and its index entries. */
const rowBytes = 300;
const pageSize = 2_000;

/** Adds up the size of raw events, newest first. Scans the full table: not for the main thread. */
export function measureEvents(db: Database, { before, maxBytes }: EventLimits): EventMeasure {
  const oldest = db.get<{ at: number }>("SELECT stored_at AS at FROM events ORDER BY seq LIMIT 1");
  // Rows are in order of their times, so the first one that is recent enough is found quickly.
  const young = db.get<{ seq: number }>(
    "SELECT seq FROM events WHERE stored_at >= ? ORDER BY seq LIMIT 1",
    before,
  );
  const next = (db.get<{ seq: number }>("SELECT coalesce(max(seq), 0) AS seq FROM events")?.seq ?? 0) + 1;
  let cutoff = young?.seq ?? next;
  let bytes = 0;
  for (let below = next; ; ) {
    const rows = db.all<{ seq: number; size: number }>(
      `SELECT seq, octet_length(payload) AS size FROM events WHERE seq < ? ORDER BY seq DESC LIMIT ${pageSize}`,
      below,
    );
    for (const { seq, size } of rows) {
      bytes += size + rowBytes;
      if (bytes > maxBytes) cutoff = Math.max(cutoff, seq + 1);
    }
    const last = rows.at(-1);
    if (!last) return { bytes, oldestAt: oldest?.at ?? null, cutoff };
    below = last.seq;
  }
}
