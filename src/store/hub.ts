import type { Database } from "../sqlite/sqlite.ts";

/** A shared project. */
export interface HubLink {
  projectId: string;
  /** The project's id on the hub. */
  hubId: string;
  /** Everything up to this number was applied here. */
  cursor: number;
  /** The hub's highest number, when last asked. */
  head: number;
  /** Preferences are shared too. */
  withPreferences: boolean;
}

/**
 * `declined`: not wanted here, because the user forgot it or it is not valid; or an own note that was recalled, which
 * stays here although it is gone on the hub. `unread`: of a newer version.
 */
type RecordState = "kept" | "gone" | "declined" | "unread";

export interface HubRecord {
  id: string;
  seq: number;
  isOwn: boolean;
  noteId: string | null;
  state: RecordState;
}

export interface QueuedNote {
  id: string;
  version: number;
}

interface HubCounts {
  sent: number;
  waiting: number;
  setAside: number;
}

/** This home's view of its hub: shared projects, records, and the outbox that triggers fill. */
export interface HubTable {
  links(): HubLink[];
  linkOf(projectId: string): HubLink | undefined;
  link(link: Omit<HubLink, "cursor" | "head">, at: number): void;
  /** Also drops the outbox and the records of the project, except for own ones that were recalled or removed. */
  unlink(hubId: string): void;
  setCursor(hubId: string, cursor: number): void;
  setHead(hubId: string, head: number): void;
  /** Queues every own note of the project, and every own record that was forgotten. */
  queueAll(link: Pick<HubLink, "projectId" | "hubId">): void;
  /** Forgets how far everything was read: the next pull compares all records. */
  rewind(hubId: string): void;
  queued(hubId: string, limit: number): QueuedNote[];
  /** Takes it from the outbox unless it has changed since it was read. */
  settle(hubId: string, note: QueuedNote): void;
  setAside(hubId: string, note: QueuedNote, reason: string): void;
  listSetAside(hubId: string): { id: string; reason: string }[];
  record(hubId: string, id: string): HubRecord | undefined;
  putRecord(hubId: string, record: HubRecord): void;
  /** Whether a hub has forgotten the record: also one that was never here. */
  isForgotten(id: string): boolean;
  /** Ids of the notes that other members wrote. */
  listReceived(projectId: string): string[];
  /** Before own records are forgotten on the hub only; a recall that failed is repeated. Returns their ids. */
  recallOwn(hubId: string): string[];
  /** Ids of the notes that were made here, newest first. */
  listOwnNotes(projectId: string): string[];
  /** How many notes of each member are here. */
  listAuthors(projectId: string): { name: string; notes: number }[];
  counts(link: HubLink): HubCounts;
  /** Of all projects, without the rows that were set aside. */
  countWaiting(): number;
  /** Whether a session works on a shared project. */
  hasLiveSession(): boolean;
}

/**
 * The commit that changes a note of a shared project also queues its id. The triggers exist only while a project is
 * shared: with one, each insert opens a savepoint, at which the word index writes what it has gathered so far.
 */
const createTriggers = `
  CREATE TRIGGER IF NOT EXISTS hub_note_added AFTER INSERT ON observations WHEN NEW.author IS NULL
  BEGIN
    INSERT INTO hub_outbox (hub_id, id) SELECT hub_id, NEW.id FROM hub_projects WHERE project_id = NEW.project_id
    ON CONFLICT DO UPDATE SET version = version + 1, reason = NULL;
  END;
  CREATE TRIGGER IF NOT EXISTS hub_note_changed AFTER UPDATE OF type, title, narrative, facts, concepts, files_read, files_modified, superseded_by
    ON observations WHEN NEW.author IS NULL
  BEGIN
    INSERT INTO hub_outbox (hub_id, id) SELECT hub_id, NEW.id FROM hub_projects WHERE project_id = NEW.project_id
    ON CONFLICT DO UPDATE SET version = version + 1, reason = NULL;
  END;
  CREATE TRIGGER IF NOT EXISTS hub_note_removed AFTER DELETE ON observations
  BEGIN
    INSERT INTO hub_outbox (hub_id, id)
      SELECT hub_id, OLD.id FROM hub_projects WHERE project_id = OLD.project_id AND OLD.author IS NULL
    ON CONFLICT DO UPDATE SET version = version + 1, reason = NULL;
    UPDATE hub_records SET state = 'declined', note_id = NULL WHERE note_id = OLD.id;
  END;
`;
const dropTriggers =
  "DROP TRIGGER IF EXISTS hub_note_added; DROP TRIGGER IF EXISTS hub_note_changed; DROP TRIGGER IF EXISTS hub_note_removed";

const linkColumns =
  "project_id AS projectId, hub_id AS hubId, cursor, head, with_preferences AS withPreferences";

type LinkRow = Omit<HubLink, "withPreferences"> & { withPreferences: number };
const toLink = (row: LinkRow): HubLink => ({ ...row, withPreferences: row.withPreferences === 1 });

export function openHubTable(db: Database): HubTable {
  const count = (sql: string, ...values: string[]): number => db.get<{ n: number }>(sql, ...values)?.n ?? 0;
  return {
    links: () => db.all<LinkRow>(`SELECT ${linkColumns} FROM hub_projects ORDER BY linked_at`).map(toLink),
    linkOf(projectId) {
      const row = db.get<LinkRow>(`SELECT ${linkColumns} FROM hub_projects WHERE project_id = ?`, projectId);
      return row && toLink(row);
    },
    link({ projectId, hubId, withPreferences }, at) {
      db.script(createTriggers);
      db.run(
        "INSERT INTO hub_projects (project_id, hub_id, with_preferences, linked_at) VALUES (?, ?, ?, ?)",
        projectId,
        hubId,
        withPreferences ? 1 : 0,
        at,
      );
    },
    unlink(hubId) {
      for (const table of ["hub_projects", "hub_outbox"])
        db.run(`DELETE FROM ${table} WHERE hub_id = ?`, hubId);
      db.run("DELETE FROM hub_records WHERE hub_id = ? AND NOT (is_own = 1 AND state = 'declined')", hubId);
      if (count("SELECT count(*) AS n FROM hub_projects") === 0) db.script(dropTriggers);
    },
    setCursor(hubId, cursor) {
      db.run("UPDATE hub_projects SET cursor = ? WHERE hub_id = ?", cursor, hubId);
    },
    setHead(hubId, head) {
      db.run("UPDATE hub_projects SET head = ? WHERE hub_id = ?", head, hubId);
    },
    queueAll({ projectId, hubId }) {
      const queue = "ON CONFLICT DO UPDATE SET version = version + 1, reason = NULL";
      db.run(
        `INSERT INTO hub_outbox (hub_id, id) SELECT ?, id FROM observations WHERE project_id = ? AND author IS NULL ${queue}`,
        hubId,
        projectId,
      );
      db.run(
        `INSERT INTO hub_outbox (hub_id, id) SELECT hub_id, id FROM hub_records
         WHERE hub_id = ? AND is_own = 1 AND state IN ('gone', 'declined') ${queue}`,
        hubId,
      );
    },
    rewind(hubId) {
      db.run("UPDATE hub_projects SET cursor = 0 WHERE hub_id = ?", hubId);
      db.run("UPDATE hub_records SET seq = 0 WHERE hub_id = ?", hubId);
    },
    queued: (hubId, limit) =>
      db.all<QueuedNote>(
        "SELECT id, version FROM hub_outbox WHERE hub_id = ? AND reason IS NULL ORDER BY id LIMIT ?",
        hubId,
        limit,
      ),
    settle(hubId, { id, version }) {
      db.run("DELETE FROM hub_outbox WHERE hub_id = ? AND id = ? AND version = ?", hubId, id, version);
    },
    setAside(hubId, { id, version }, reason) {
      db.run(
        "UPDATE hub_outbox SET reason = ? WHERE hub_id = ? AND id = ? AND version = ?",
        reason,
        hubId,
        id,
        version,
      );
    },
    listSetAside: (hubId) =>
      db.all("SELECT id, reason FROM hub_outbox WHERE hub_id = ? AND reason IS NOT NULL ORDER BY id", hubId),
    record(hubId, id) {
      const row = db.get<Omit<HubRecord, "isOwn"> & { isOwn: number }>(
        "SELECT id, seq, is_own AS isOwn, note_id AS noteId, state FROM hub_records WHERE hub_id = ? AND id = ?",
        hubId,
        id,
      );
      return row && { ...row, isOwn: row.isOwn === 1 };
    },
    putRecord(hubId, { id, seq, isOwn, noteId, state }) {
      db.run(
        `INSERT INTO hub_records (hub_id, id, seq, is_own, note_id, state) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET seq = excluded.seq, note_id = excluded.note_id, state = excluded.state`,
        hubId,
        id,
        seq,
        isOwn,
        noteId,
        state,
      );
    },
    isForgotten: (id) =>
      db.get(
        `SELECT 1 FROM hub_projects p JOIN hub_records r ON r.hub_id = p.hub_id
         WHERE r.id = ? AND r.state = 'gone'`,
        id,
      ) !== undefined,
    listReceived: (projectId) =>
      db
        .all<{ id: string }>(
          "SELECT id FROM observations WHERE project_id = ? AND author IS NOT NULL",
          projectId,
        )
        .map(({ id }) => id),
    recallOwn(hubId) {
      const own = "hub_id = ? AND is_own = 1 AND state IN ('kept', 'declined')";
      db.run(`UPDATE hub_records SET state = 'declined', note_id = NULL WHERE ${own}`, hubId);
      return db.all<{ id: string }>(`SELECT id FROM hub_records WHERE ${own}`, hubId).map(({ id }) => id);
    },
    listOwnNotes: (projectId) =>
      db
        .all<{ id: string }>(
          "SELECT id FROM observations WHERE project_id = ? AND author IS NULL ORDER BY created_at DESC, id DESC",
          projectId,
        )
        .map(({ id }) => id),
    listAuthors: (projectId) =>
      db.all(
        `SELECT author AS name, count(*) AS notes FROM observations
         WHERE project_id = ? AND author IS NOT NULL GROUP BY author ORDER BY notes DESC, author`,
        projectId,
      ),
    counts({ hubId }) {
      const ofOutbox = "SELECT count(*) AS n FROM hub_outbox WHERE hub_id = ? AND reason IS";
      return {
        sent: count(
          "SELECT count(*) AS n FROM hub_records WHERE hub_id = ? AND is_own = 1 AND state = 'kept'",
          hubId,
        ),
        waiting: count(`${ofOutbox} NULL`, hubId),
        setAside: count(`${ofOutbox} NOT NULL`, hubId),
      };
    },
    countWaiting: () => count("SELECT count(*) AS n FROM hub_outbox WHERE reason IS NULL"),
    hasLiveSession: () =>
      db.get(
        `SELECT 1 FROM sessions s JOIN projects p ON p.path = s.project JOIN hub_projects h ON h.project_id = p.id
         WHERE s.status = 'active' LIMIT 1`,
      ) !== undefined,
  };
}
