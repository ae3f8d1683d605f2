import { isStopWord, listWords } from "../domain/memory/words.ts";
import { listHiddenNotices } from "./forget-rows.ts";
import type { MemoryKind } from "./memory-index.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { makeSelection, type Selection } from "./selection.ts";
import { readTexts } from "./text-columns.ts";

export interface Document {
  kind: MemoryKind;
  id: string;
}

interface ProjectRef {
  id: string;
  path: string;
}

/** A request to forget something. */
export type ForgetTarget =
  | { by: "documents"; documents: Document[] }
  | { by: "words"; pattern: string; project?: ProjectRef }
  | { by: "file"; path: string; pattern: string; project: ProjectRef }
  /** `isWhole`: the entire history, not only a part of it. */
  | { by: "span"; project?: ProjectRef; from: number; to: number; isWhole: boolean };

/**
 * Finds every row that contains the target. For a note, this includes the turn it was extracted from: its prompt, tool
 * uses, last message and summary. Read-only.
 */
export function selectForgotten(db: Database, target: ForgetTarget): Selection {
  const selection = makeSelection();
  if (target.by === "documents") addDocuments(db, target.documents, selection);
  else if (target.by === "words") addWords(db, target.pattern, target.project, selection);
  else if (target.by === "span") addSpan(db, target, selection);
  else {
    addDocuments(db, documentsOfFile(db, target), selection);
    addWords(db, target.pattern, target.project, selection);
  }
  for (const id of listMarkedQuestions(db)) selection.questions.delete(id);
  for (const id of listHiddenNotices(db, selection.notices)) selection.notices.delete(id);
  return selection;
}

/** Open questions that are already marked to be forgotten once settled. */
function listMarkedQuestions(db: Database): string[] {
  return db
    .all<{ id: string }>("SELECT id FROM questions WHERE forget_when_over = 1 AND state = 'open'")
    .map(({ id }) => id);
}

function documentsOfFile(db: Database, { path, project }: { path: string; project: ProjectRef }): Document[] {
  return db.all(
    `SELECT DISTINCT r.kind, r.ref AS id FROM memory_files f JOIN memory_rows r ON r.rowid = f.row
     WHERE r.project_id = ? AND (f.path = ? OR substr(f.path, -length(?) - 1) = '/' || ?)`,
    project.id,
    path,
    path,
    path,
  );
}

function addWords(db: Database, source: string, project: ProjectRef | undefined, selection: Selection): void {
  const pattern = new RegExp(source, "iu");
  const owners = project && ownersOf(db, project);
  readTexts(db, ({ into }, { key, turn, owner, text }) => {
    if (!pattern.test(text) || (owners && !owners.has(owner ?? ""))) return;
    selection[into].add(key);
    if (turn !== null) selection.turns.add(turn);
  });
}

function ownersOf(db: Database, { id, path }: ProjectRef): Set<string> {
  const sessions = db.all<{ id: string }>("SELECT id FROM sessions WHERE project = ?", path);
  return new Set([id, ...sessions.map((session) => session.id)]);
}

function addDocuments(db: Database, documents: readonly Document[], selection: Selection): void {
  const turns = new Set<string>();
  for (const { kind, id } of documents) {
    if (kind === "observation") selection.observations.add(id);
    else if (kind === "summary") selection.summaries.add(id);
    else if (kind === "prompt") selection.prompts.add(id);
    else if (kind === "question") selection.questions.add(id);
    else selection.mail.add(id);
    for (const turn of turnsOf(db, kind, id)) turns.add(turn);
    if (kind === "question") addAnswerCopies(db, id, selection);
    if (kind !== "observation") continue;
    const quoting = db.all<{ id: string }>(
      `SELECT d.id FROM deliveries d JOIN observations o ON o.id = ? WHERE length(o.title) > 11 AND instr(d.body, o.title) > 0`,
      id,
    );
    for (const delivery of quoting) selection.deliveries.add(delivery.id);
  }
  const forgottenWords = new Set(documents.flatMap((document) => contentWords(textOf(db, document))));
  for (const turn of turns) addTurn(db, turn, selection);
  for (const turn of turns) addSiblings(db, turn, forgottenWords, selection);
}

/** Adds the memory of an answer and the delivery that brought it to the asker. */
function addAnswerCopies(db: Database, questionId: string, selection: Selection): void {
  const notes = db.all<{ id: string }>(
    `SELECT o.id FROM questions q JOIN observations o ON o.session_id IS q.session_id, json_each(o.source_events) j
     WHERE q.id = ?1 AND j.value = ?1`,
    questionId,
  );
  for (const { id } of notes) selection.observations.add(id);
  const brought = db.all<{ id: string }>(
    "SELECT id FROM deliveries WHERE kind = 'answer' AND instr(body, ?) > 0",
    questionId,
  );
  for (const { id } of brought) selection.deliveries.add(id);
}

/** For kinds that belong to no turn: selects nothing. */
const noTurn = "SELECT id FROM turns WHERE id = ? AND 0";
const turnSql: Record<MemoryKind, string> = {
  observation: `SELECT turn_id AS id FROM observations WHERE id = ?1 AND turn_id IS NOT NULL UNION
    SELECT turn_id FROM note_turns WHERE note_id = ?1 UNION
    SELECT e.turn_id FROM observations o, json_each(o.source_events) j JOIN events e ON e.id = j.value
    WHERE o.id = ?1 AND e.turn_id IS NOT NULL UNION
    SELECT p.turn_id FROM observations o, json_each(o.source_events) j JOIN prompts p ON p.event_id = j.value
    WHERE o.id = ?1`,
  // The summary of a session covers all its turns.
  summary: `SELECT turn_id AS id FROM summaries WHERE id = ?1 AND turn_id IS NOT NULL UNION
    SELECT t.id FROM summaries s JOIN turns t ON t.session_id = s.session_id
    WHERE s.id = ?1 AND s.turn_id IS NULL AND s.provenance = 'session'`,
  prompt: "SELECT turn_id AS id FROM prompts WHERE event_id = ?",
  question: noTurn,
  message: noTurn,
};

function turnsOf(db: Database, kind: MemoryKind, id: string): string[] {
  return db.all<{ id: string }>(turnSql[kind], id).map((turn) => turn.id);
}

const ofRow = (kind: MemoryKind): string =>
  `SELECT concat_ws(' ', t.title, t.body) AS text FROM memory_texts t JOIN memory_rows r ON r.rowid = t.row
   WHERE r.kind = '${kind}' AND r.ref = ?`;
const textSql: Record<MemoryKind, string> = {
  observation:
    "SELECT concat_ws(' ', title, narrative, facts, concepts) AS text FROM observations WHERE id = ?",
  summary:
    "SELECT concat_ws(' ', request, completed, learned, next_steps) AS text FROM summaries WHERE id = ?",
  prompt: "SELECT text FROM prompts WHERE event_id = ?",
  question: ofRow("question"),
  message: ofRow("message"),
};

function textOf(db: Database, { kind, id }: Document): string {
  return db.get<{ text: string }>(textSql[kind], id)?.text ?? "";
}

/**
 * Adds a turn and everything derived from it: its summary, that of its session, the host's at a later compaction, and
 * notes of other turns that contain its text.
 */
function addTurn(db: Database, turnId: string, selection: Selection): void {
  selection.turns.add(turnId);
  selection.messages.add(turnId);
  const add = (into: keyof Selection, sql: string): void => {
    for (const { id } of db.all<{ id: string }>(sql, turnId)) selection[into].add(id);
  };
  const ofTurn = "session_id = (SELECT session_id FROM turns WHERE id = ?1) AND turn_id = ?1";
  add("prompts", `SELECT event_id AS id FROM prompts WHERE ${ofTurn}`);
  add("events", `SELECT id FROM events WHERE ${ofTurn}`);
  add("observations", "SELECT note_id AS id FROM note_turns WHERE turn_id = ?1");
  add("summaries", "SELECT id FROM summaries WHERE turn_id = ?1");
  add(
    "summaries",
    `SELECT s.id FROM turns t JOIN summaries s ON s.session_id = t.session_id
     WHERE t.id = ?1 AND s.turn_id IS NULL AND s.provenance = 'session'`,
  );
  add(
    "events",
    `SELECT e.id FROM events e JOIN turns t ON t.id = ?1 WHERE e.session_id = t.session_id
     AND e.occurred_at >= t.started_at AND e.event IN ('compact.before', 'compact.after')`,
  );
}

/** Other notes of the turn that share a rare word with the deleted text; they would leak it. */
function addSiblings(
  db: Database,
  turnId: string,
  forgottenWords: ReadonlySet<string>,
  selection: Selection,
): void {
  const notes = db.all<{ id: string }>("SELECT id FROM observations WHERE turn_id = ?", turnId);
  const staying = notes.filter(({ id }) => !selection.observations.has(id));
  if (staying.length === 0) return;
  const ofTurn = new Set([...notes.map(({ id }) => id), ...selection.prompts, ...selection.summaries]);
  const isOnlyHere = (word: string): boolean =>
    db
      .all<{ ref: string }>(
        `SELECT r.ref FROM memory_fts f JOIN memory_rows r ON r.rowid = f.rowid WHERE memory_fts MATCH ? LIMIT 50`,
        `"${word}"`,
      )
      .every(({ ref }) => ofTurn.has(ref));
  for (const { id } of staying) {
    const words = contentWords(textOf(db, { kind: "observation", id }));
    if (words.some((word) => forgottenWords.has(word) && isOnlyHere(word))) selection.observations.add(id);
  }
}

function contentWords(text: string): string[] {
  return [...new Set(listWords(text))].filter((word) => word.length > 3 && !isStopWord(word));
}

/** Messages in a project's room, from one of its agents, or in a direct room with one of them. */
const ofMail = `(room_id IN (SELECT r.id FROM rooms r JOIN projects p ON r.key = 'project:' || p.id WHERE p.path = ?1)
  OR agent_id IN (SELECT id FROM agents WHERE project = ?1) OR address IN (SELECT name FROM agents WHERE project = ?1)
  OR room_id IN (SELECT r.id FROM rooms r JOIN agents a ON instr(r.key, '@' || a.name || ':') > 0
    WHERE r.kind = 'direct' AND a.project = ?1))`;

function addSpan(
  db: Database,
  { project, from, to }: { project?: ProjectRef; from: number; to: number },
  selection: Selection,
): void {
  const add = (into: keyof Selection, key: string, table: string, at: string, mine: string): void => {
    const where = project ? `AND ${mine}` : "";
    const mineIs = mine === ofProject ? project?.id : project?.path;
    const sql = `SELECT ${key} AS id FROM ${table} WHERE ${at} BETWEEN ?2 AND ?3 ${where}`;
    for (const { id } of db.all<{ id: string }>(sql, mineIs, from, to)) selection[into].add(id);
  };
  const ofProject = "project_id = ?1";
  const ofSession = "session_id IN (SELECT id FROM sessions WHERE project = ?1)";
  add("observations", "id", "observations", "created_at", ofProject);
  add("summaries", "id", "summaries", "created_at", ofProject);
  add("prompts", "event_id", "prompts", "occurred_at", ofSession);
  add("events", "id", "events", "occurred_at", ofSession);
  add("injections", "json_array(session_id, kind, ref, point)", "injections", "at", ofSession);
  add(
    "deliveries",
    "id",
    "deliveries",
    "created_at",
    "agent_id IN (SELECT id FROM agents WHERE project = ?1)",
  );
  add("questions", "id", "questions", "created_at", "project = ?1");
  add("tasks", "id", "tasks", "created_at", ofProject);
  add("mail", "id", "messages", "created_at", ofMail);
  // Cards are deleted with their questions.
  if (!project) add("notices", "id", "(SELECT * FROM outbox WHERE kind = 'notice')", "created_at", "");
  add("turns", "id", "turns", "started_at", ofSession);
  add("sessions", "id", "sessions", "started_at", "project = ?1");
  for (const turn of selection.turns) addTurn(db, turn, selection);
  for (const turn of selection.turns) selection.turnRows.add(turn);
  for (const session of selection.sessions) selection.titles.add(session);
}
