import type { Database } from "../sqlite/sqlite.ts";
import { openRowTable } from "./row-table.ts";

export interface SessionRow {
  id: string;
  agentId: string;
  /** The coding agent that runs it, by its name in `hosts/`. */
  host: string;
  project: string;
  cwd: string | null;
  transcriptPath: string | null;
  hostPid: number | null;
  pidStarted: string | null;
  source: string;
  model: string | null;
  title: string | null;
  /** The git branch at the start. */
  branch: string | null;
  status: "active" | "ended";
  statusAt: number;
  endReason: string | null;
  startedAt: number;
  lastEventAt: number;
}

interface SessionCounts {
  prompts: number;
  toolUses: number;
  events: number;
}

export interface SessionTable {
  insert(session: SessionRow): void;
  /** Writes every column except the id. */
  update(session: SessionRow): void;
  /** Only updates the time of the last event, as most events do. */
  touch(id: string, lastEventAt: number): void;
  /** The transcript offset up to which its events were compared. */
  transcriptByte(id: string): number;
  setTranscriptByte(id: string, byte: number): void;
  byId(id: string): SessionRow | undefined;
  /** Ids with this suffix. */
  bySuffix(suffix: string, limit: number): string[];
  /** The current session of a host process: `/clear` changes the id within a running process. */
  latestOfPid(pid: number): SessionRow | undefined;
  latestOfAgent(agentId: string): SessionRow | undefined;
  activeOfPid(pid: number): SessionRow[];
  activeOfProject(project: string): SessionRow[];
  active(): SessionRow[];
  recent(limit: number, host?: string): SessionRow[];
  /** Sessions whose last event is older than this one's. */
  listBefore(session: SessionRow, limit: number, host?: string): SessionRow[];
  /** Paths of the transcripts of a project. */
  transcriptsOf(project: string): string[];
  counts(id: string): SessionCounts;
  total(): number;
}

const facts = `host, project, cwd, transcript_path, host_pid, pid_started, source, model, title, branch, status, status_at,
  end_reason, started_at, last_event_at`;
const newestFirst = "ORDER BY last_event_at DESC, started_at DESC, id DESC";

export function openSessionTable(db: Database, origin: string): SessionTable {
  const table = openRowTable<SessionRow>(db, "sessions", `id, agent_id, ${facts}`);
  const { select } = table;
  return {
    insert(session) {
      table.insert(session, { origin });
    },
    update(s) {
      // Separate, and only if it changes: an update of a foreign key opens a savepoint, at which the word index writes what
      // it has gathered so far, instead of once per transaction.
      if (db.get("SELECT 1 FROM sessions WHERE id = ? AND agent_id <> ?", s.id, s.agentId))
        db.run("UPDATE sessions SET agent_id = ? WHERE id = ?", s.agentId, s.id);
      table.update(s, facts);
    },
    touch(id, lastEventAt) {
      db.run("UPDATE sessions SET last_event_at = ? WHERE id = ?", lastEventAt, id);
    },
    transcriptByte: (id) =>
      db.get<{ byte: number }>("SELECT transcript_byte AS byte FROM sessions WHERE id = ?", id)?.byte ?? 0,
    setTranscriptByte(id, byte) {
      db.run("UPDATE sessions SET transcript_byte = ? WHERE id = ?", byte, id);
    },
    byId: (id) => db.get<SessionRow>(`${select} WHERE id = ?`, id),
    bySuffix: (suffix, limit) =>
      db
        .all<{ id: string }>(
          "SELECT id FROM sessions WHERE substr(id, -length(?1)) = ?1 LIMIT ?2",
          suffix,
          limit,
        )
        .map(({ id }) => id),
    latestOfPid: (pid) =>
      db.get<SessionRow>(
        `${select} WHERE host_pid = ? ORDER BY status = 'active' DESC, status_at DESC LIMIT 1`,
        pid,
      ),
    latestOfAgent: (agentId) =>
      db.get<SessionRow>(
        `${select} WHERE agent_id = ? ORDER BY status = 'active' DESC, status_at DESC LIMIT 1`,
        agentId,
      ),
    activeOfPid: (pid) => db.all<SessionRow>(`${select} WHERE status = 'active' AND host_pid = ?`, pid),
    activeOfProject: (project) =>
      db.all<SessionRow>(`${select} WHERE status = 'active' AND project = ? ${newestFirst}`, project),
    active: () => db.all<SessionRow>(`${select} WHERE status = 'active' ${newestFirst}`),
    recent: (limit, host) =>
      db.all<SessionRow>(
        `${select} ${host === undefined ? "" : "WHERE host = ?"} ${newestFirst} LIMIT ?`,
        ...(host === undefined ? [] : [host]),
        limit,
      ),
    listBefore: ({ id, lastEventAt, startedAt }, limit, host) =>
      db.all<SessionRow>(
        `${select} WHERE (last_event_at, started_at, id) < (?, ?, ?) ${host === undefined ? "" : "AND host = ?"} ${newestFirst} LIMIT ?`,
        lastEventAt,
        startedAt,
        id,
        ...(host === undefined ? [] : [host]),
        limit,
      ),
    transcriptsOf: (project) =>
      db
        .all<{ path: string }>(
          "SELECT transcript_path AS path FROM sessions WHERE project = ? AND transcript_path IS NOT NULL",
          project,
        )
        .map(({ path }) => path),
    counts: (id) =>
      db.get<SessionCounts>(
        `SELECT (SELECT count(*) FROM prompts WHERE session_id = ?1) AS prompts,
           (SELECT count(*) FROM events WHERE session_id = ?1 AND event IN ('tool.after', 'tool.failed')) AS toolUses,
           (SELECT count(*) FROM events WHERE session_id = ?1) AS events`,
        id,
      ) ?? { prompts: 0, toolUses: 0, events: 0 },
    total: () => db.get<{ n: number }>("SELECT count(*) AS n FROM sessions")?.n ?? 0,
  };
}
