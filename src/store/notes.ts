import type { Distilled } from "../domain/memory/turn-record.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";
import { openRowTable } from "./row-table.ts";

export interface Note extends Omit<Distilled, "provenance" | "worth"> {
  id: string;
  projectId: string;
  worktree: string | null;
  sessionId: string | null;
  turnId: string | null;
  promptNumber: number | null;
  tokens: number;
  provenance: string;
  hash: string;
  createdAt: number;
  updatedAt: number;
  /** The newer note that replaced it, and why. */
  supersededBy: string | null;
  supersededBecause: string | null;
  worth: number | null;
  /** When the user pinned it; null if it is not pinned. */
  pinnedAt: number | null;
  /** The colleague or the other machine that it came from, through a hub; null if it was made here. */
  author: string | null;
  /** Whether the author is a machine account, such as a CI job. */
  byMachine: boolean;
}

/** The parts by which notes of a session are compared. */
export type NoteOutline = Pick<Note, "id" | "turnId" | "type" | "title" | "narrative" | "provenance">;

/** The parts by which near-identical notes of a project are found. */
type NoteStatement = Pick<
  Note,
  "id" | "title" | "narrative" | "facts" | "provenance" | "supersededBy" | "author"
>;

/** The parts that decide whether a note replaces another. */
export type RivalNote = Pick<
  Note,
  "id" | "type" | "title" | "worktree" | "filesRead" | "filesModified" | "createdAt" | "author"
>;

export interface NoteTable {
  /** False if the project already has an identical note. */
  insert(observation: Note): boolean;
  update(observation: Note): void;
  /** Also restores the notes that it had replaced. */
  remove(id: string): void;
  byId(id: string): Note | undefined;
  /** False for a note that was imported from another home. */
  isMadeHere(id: string): boolean;
  /** Records that the note also contains text of other turns. */
  addTurns(id: string, turnIds: readonly string[]): void;
  /** All turns whose text is in the note, besides the one it was made from. */
  listFurtherTurns(id: string): string[];
  statement(id: string): NoteStatement | undefined;
  /** The note of a project with exactly this content. */
  byHash(projectId: string, hash: string): Note | undefined;
  /** Notes whose id ends with `tail` (at least four characters); at most three. */
  byShortId(tail: string): Note[];
  /** The shortest unambiguous suffix of the id, at least four characters. */
  shortIdOf(id: string): string;
  /** Null unpins it. */
  pin(id: string, at: number | null): void;
  /** Newest pin first; of this project, or of all. */
  pinned(projectId?: string): Note[];
  /** Marks it as replaced by a newer note, or (null) as current again. */
  supersede(id: string, by: string | null, because: string | null, at: number): void;
  /** Marks two notes of different people as contradicting each other. */
  dispute(id: string, otherId: string): void;
  /** The authors of notes that contradict this one; null stands for this machine. */
  disputedBy(id: string): (string | null)[];
  /** The notes that this one replaced. */
  supersededBy(id: string): Note[];
  /** Stores the claim numbers that are used to find notes on the same subject. */
  putClaims(id: string, claims: readonly number[]): void;
  /** Current notes with one of these claim numbers, newest first for each number. */
  byClaims(claims: readonly number[], limit: number): RivalNote[];
  /** Current notes, newest first; only of these types, if given. */
  listCurrent(projectId: string, limit: number, types?: readonly string[]): Note[];
  /** Newest first; of these projects, or of all. */
  listRecent(projectIds: readonly string[] | undefined, limit: number, host?: string): Note[];
  ofTurn(turnId: string): Note[];
  /** The latest current notes of a session, newest first. */
  ofSession(sessionId: string, limit: number): Note[];
  /** The same as `ofSession`, without the parts that are not compared: importing reads this for every note. */
  outlinesOfSession(sessionId: string, projectId: string, limit: number): NoteOutline[];
  /** The checkout that a session worked in, according to its notes. */
  worktreeOf(sessionId: string): string | null;
  /** Current notes of a session, oldest first. */
  currentOfSession(sessionId: string): Note[];
  ofFile(projectIds: readonly string[], path: string, limit: number): Note[];
  /** The notes of the project just before and just after this one. */
  listAround(
    at: Pick<Note, "id" | "projectId" | "createdAt">,
    count: number,
  ): { before: Note[]; after: Note[] };
  countOfSession(sessionId: string): number;
  total(): number;
  countOfProject(projectId: string): number;
}

type Row = Record<string, unknown>;

const columns = `id, project_id, worktree, session_id, turn_id, prompt_number, type, title, narrative, facts, concepts,
  files_read, files_modified, source_events, tokens, provenance, hash, created_at, updated_at, superseded_by,
  superseded_because, worth, pinned_at, author, by_machine`;
const editable = `type, title, narrative, facts, concepts, files_read, files_modified, source_events, tokens, provenance, hash,
  updated_at`;
const outlineColumns = "o.id, o.turn_id AS turnId, o.type, o.title, o.narrative, o.provenance";
const statementColumns =
  "o.id, o.title, o.narrative, o.facts, o.provenance, o.superseded_by AS supersededBy, o.author";
const rivalColumns = `o.id, o.type, o.title, o.worktree, o.files_read AS filesRead, o.files_modified AS filesModified,
  o.created_at AS createdAt, o.author`;
const lists = ["facts", "concepts", "filesRead", "filesModified", "sourceEvents"] as const;

export function openNoteTable(db: Database, origin: string): NoteTable {
  const table = openRowTable<Note>(db, "observations", columns);
  const select = `${table.select} o`;
  const one = (sql: string, ...values: string[]): Note | undefined => {
    const row = db.get<Row>(sql, ...values);
    return row && fromRow(row);
  };
  const many = (sql: string, ...values: (string | number)[]): Note[] =>
    db.all<Row>(sql, ...values).map(fromRow);

  // Filter by the indexed suffix first; otherwise every id would be read.
  const bySuffix = (tail: string): Note[] =>
    many(
      `${select} WHERE substr(o.id, -4) = substr(?1, -4) AND substr(o.id, -length(?1)) = ?1 LIMIT 3`,
      tail,
    );

  return {
    insert: (note) => table.insert(note, { origin }, "ON CONFLICT (project_id, hash) DO NOTHING"),
    update(note) {
      table.update(note, editable);
    },
    remove: (id) => removeNote(db, id),
    byId: (id) => one(`${select} WHERE o.id = ?`, id),
    isMadeHere: (id) =>
      db.get("SELECT 1 FROM observations WHERE id = ? AND origin = ?", id, origin) !== undefined,
    addTurns(id, turnIds) {
      for (const turnId of turnIds)
        db.run(
          "INSERT OR IGNORE INTO note_turns (turn_id, note_id) SELECT ?1, id FROM observations WHERE id = ?2 AND turn_id IS NOT ?1",
          turnId,
          id,
        );
    },
    listFurtherTurns: (id) =>
      db
        .all<{ id: string }>("SELECT turn_id AS id FROM note_turns WHERE note_id = ?", id)
        .map((turn) => turn.id),
    statement(id) {
      const row = db.get<Row>(`SELECT ${statementColumns} FROM observations o WHERE o.id = ?`, id);
      return row && ({ ...row, facts: parseList(row["facts"]) } as unknown as NoteStatement);
    },
    byHash: (projectId, hash) => one(`${select} WHERE o.project_id = ? AND o.hash = ?`, projectId, hash),
    byShortId: (tail) => bySuffix(tail.toLowerCase()),
    shortIdOf(id) {
      const length = [4, 5, 6, 7, 8, 12].find((size) => bySuffix(id.slice(-size)).length < 2);
      return length === undefined ? id : id.slice(-length);
    },
    pin(id, at) {
      db.run("UPDATE observations SET pinned_at = ? WHERE id = ?", at, id);
    },
    pinned: (projectId) =>
      projectId === undefined
        ? many(`${select} WHERE o.pinned_at IS NOT NULL ORDER BY o.pinned_at DESC, o.id DESC`)
        : many(
            `${select} WHERE o.project_id = ? AND o.pinned_at IS NOT NULL ORDER BY o.pinned_at DESC, o.id DESC`,
            projectId,
          ),
    supersede(id, by, because, at) {
      db.run(
        "UPDATE observations SET superseded_by = ?, superseded_because = ?, superseded_at = ? WHERE id = ?",
        by,
        because,
        by === null ? null : at,
        id,
      );
    },
    dispute(id, otherId) {
      db.run("INSERT OR IGNORE INTO note_disputes (note_id, other_id) VALUES (?, ?)", id, otherId);
    },
    disputedBy: (id) =>
      db
        .all<{ author: string | null }>(
          `SELECT author FROM observations WHERE superseded_by IS NULL AND id IN (
             SELECT other_id FROM note_disputes WHERE note_id = ?1 UNION SELECT note_id FROM note_disputes WHERE other_id = ?1)`,
          id,
        )
        .map(({ author }) => author),
    supersededBy: (id) => many(`${select} WHERE o.superseded_by = ?`, id),
    putClaims(id, claims) {
      db.run("DELETE FROM observation_claims WHERE observation_id = ?", id);
      for (const claim of claims)
        db.run("INSERT OR IGNORE INTO observation_claims (claim, observation_id) VALUES (?, ?)", claim, id);
    },
    byClaims: (claims, limit) =>
      claims.flatMap((claim) =>
        // Ids begin with their time: the key yields the newest without reading the rest.
        db
          .all<Row>(
            `SELECT ${rivalColumns} FROM observations o JOIN observation_claims c ON c.observation_id = o.id
             WHERE c.claim = ? AND o.superseded_by IS NULL ORDER BY c.observation_id DESC LIMIT ?`,
            claim,
            limit,
          )
          .map(
            (row) =>
              ({
                ...row,
                filesRead: parseList(row["filesRead"]),
                filesModified: parseList(row["filesModified"]),
              }) as unknown as RivalNote,
          ),
      ),
    listCurrent(projectId, limit, types) {
      const ofType = types ? `AND o.type IN (${types.map(() => "?").join(", ")})` : "";
      return many(
        `${select} WHERE o.project_id = ? AND o.superseded_by IS NULL ${ofType} ORDER BY o.created_at DESC, o.id DESC LIMIT ?`,
        projectId,
        ...(types ?? []),
        limit,
      );
    },
    listRecent(projectIds, limit, host) {
      const conditions = [
        ...(projectIds ? [`o.project_id IN (${projectIds.map(() => "?").join(", ")})`] : []),
        ...(host ? ["o.session_id IN (SELECT id FROM sessions WHERE host = ?)"] : []),
      ];
      const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
      return many(
        `${select} ${where} ORDER BY o.created_at DESC, o.id DESC LIMIT ?`,
        ...(projectIds ?? []),
        ...(host ? [host] : []),
        limit,
      );
    },
    ofSession: (sessionId, limit) =>
      many(
        `${select} WHERE o.session_id = ? AND o.superseded_by IS NULL ORDER BY o.created_at DESC, o.id DESC LIMIT ?`,
        sessionId,
        limit,
      ),
    outlinesOfSession: (sessionId, projectId, limit) =>
      db.all<NoteOutline>(
        `SELECT ${outlineColumns} FROM observations o
         WHERE o.session_id = ? AND o.project_id = ? AND o.superseded_by IS NULL
         ORDER BY o.created_at DESC, o.id DESC LIMIT ?`,
        sessionId,
        projectId,
        limit,
      ),
    ofTurn: (turnId) => many(`${select} WHERE o.turn_id = ? ORDER BY o.created_at, o.id`, turnId),
    worktreeOf: (sessionId) =>
      db.get<{ worktree: string | null }>(
        "SELECT worktree FROM observations WHERE session_id = ? LIMIT 1",
        sessionId,
      )?.worktree ?? null,
    currentOfSession: (sessionId) =>
      many(
        `${select} WHERE o.session_id = ? AND o.superseded_by IS NULL ORDER BY o.created_at, o.id`,
        sessionId,
      ),
    ofFile(projectIds, path, limit) {
      return many(
        `${select} WHERE o.id IN (SELECT r.ref FROM memory_files f JOIN memory_rows r ON r.rowid = f.row
           WHERE f.path = ? AND r.kind = 'observation')
         AND o.project_id IN (${projectIds.map(() => "?").join(", ")}) ORDER BY o.created_at DESC LIMIT ?`,
        path,
        ...projectIds,
        limit,
      );
    },
    listAround({ projectId, createdAt, id }, count) {
      const position = "o.project_id = ? AND (o.created_at, o.id)";
      const before = many(
        `${select} WHERE ${position} < (?, ?) ORDER BY o.created_at DESC, o.id DESC LIMIT ?`,
        projectId,
        createdAt,
        id,
        count,
      );
      const after = many(
        `${select} WHERE ${position} > (?, ?) ORDER BY o.created_at, o.id LIMIT ?`,
        projectId,
        createdAt,
        id,
        count,
      );
      return { before: before.toReversed(), after };
    },
    countOfProject: (projectId) =>
      db.get<{ n: number }>("SELECT count(*) AS n FROM observations WHERE project_id = ?", projectId)?.n ?? 0,
    total: () => db.get<{ n: number }>("SELECT count(*) AS n FROM observations")?.n ?? 0,
    countOfSession: (sessionId) =>
      db.get<{ n: number }>("SELECT count(*) AS n FROM observations WHERE session_id = ?", sessionId)?.n ?? 0,
  };
}

function fromRow(row: Row): Note {
  const note = { ...row };
  for (const list of lists) note[list] = parseList(row[list]);
  note["byMachine"] = row["byMachine"] === 1;
  return note as unknown as Note;
}

function parseList(text: unknown): unknown {
  return text === "[]" ? [] : parseJson(String(text));
}

export function removeNote(db: Database, id: string): void {
  db.run(
    "UPDATE observations SET superseded_by = NULL, superseded_at = NULL, superseded_because = NULL WHERE superseded_by = ?",
    id,
  );
  db.run("DELETE FROM observations WHERE id = ?", id);
}
