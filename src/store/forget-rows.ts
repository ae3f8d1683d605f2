import type { Notice } from "../domain/ask/card.ts";
import { makeForgottenNotice } from "../domain/ask/notices.ts";
import { parseJson } from "../shared/json.ts";
import type { IndexEntry, MemoryIndex, MemoryKind } from "./memory-index.ts";
import { removeNote } from "./notes.ts";
import type { Database } from "../sqlite/sqlite.ts";
import type { Selection } from "./selection.ts";

/** Removes a document from every table derived from it. Add a line here for each new table of that kind. */
function forgetDocument(db: Database, index: MemoryIndex, kind: MemoryKind, id: string): void {
  index.remove(kind, id);
  db.run("DELETE FROM injections WHERE kind = ? AND ref = ?", kind, id);
}

/** The text of a notice that the person has not got yet. */
function findUnsentNotice(db: Database, id: string): string | undefined {
  const sql =
    "SELECT notice FROM outbox WHERE id = ? AND notice IS NOT NULL AND state IN ('held', 'waiting', 'sending', 'parked')";
  return db.get<{ notice: string }>(sql, id)?.notice;
}

function hideNotice(notice: string): string {
  return JSON.stringify(makeForgottenNotice(parseJson(notice) as Notice));
}

/** Notices whose text was forgotten, but that the person has still to get. */
export function listHiddenNotices(db: Database, ids: Iterable<string>): string[] {
  return [...ids].filter((id) => {
    const unsent = findUnsentNotice(db, id);
    return unsent !== undefined && unsent === hideNotice(unsent);
  });
}

const ofEvent = "DELETE FROM injections WHERE event_id = ?";

/** How to delete each kind of row. The order matters: referencing rows come first. */
export function makeForgetters(
  db: Database,
  index: MemoryIndex,
): { [Kind in Exclude<keyof Selection, "turns">]: (id: string) => void } {
  return {
    observations(id) {
      forgetDocument(db, index, "observation", id);
      removeNote(db, id);
    },
    summaries(id) {
      forgetDocument(db, index, "summary", id);
      db.run("DELETE FROM summaries WHERE id = ?", id);
    },
    prompts(id) {
      forgetDocument(db, index, "prompt", id);
      db.run(ofEvent, id);
      db.run("DELETE FROM prompts WHERE event_id = ?", id);
    },
    events(id) {
      db.run(ofEvent, id);
      db.run("DELETE FROM events WHERE id = ?", id);
    },
    deliveries: (id) => void db.run("DELETE FROM deliveries WHERE id = ?", id),
    // An open question is still being asked; it is deleted once it is settled.
    questions(id) {
      const isOpen = db.run("UPDATE questions SET forget_when_over = 1 WHERE id = ? AND state = 'open'", id);
      if (isOpen.changes > 0) return;
      db.run("DELETE FROM questions WHERE id = ?", id);
      forgetDocument(db, index, "question", id);
      db.run("DELETE FROM outbox WHERE question_id = ?", id);
    },
    mail(id) {
      forgetDocument(db, index, "message", id);
      db.run("DELETE FROM deliveries WHERE message_id = ?", id);
      db.run("DELETE FROM messages WHERE id = ?", id);
    },
    tasks: (id) => void db.run("DELETE FROM tasks WHERE id = ?", id),
    notices(id) {
      const unsent = findUnsentNotice(db, id);
      if (unsent) db.run("UPDATE outbox SET notice = ?, repeats = 1 WHERE id = ?", hideNotice(unsent), id);
      else db.run("DELETE FROM outbox WHERE id = ?", id);
    },
    injections(key) {
      const [sessionId, kind, ref, point] = parseJson(key) as string[];
      db.run(
        "DELETE FROM injections WHERE session_id = ? AND kind = ? AND ref = ? AND point = ?",
        sessionId,
        kind,
        ref,
        point,
      );
    },
    messages(id) {
      db.run("UPDATE turns SET last_assistant_message = NULL, loose_facts = NULL WHERE id = ?", id);
      indexWithoutAnswer(db, index, id);
    },
    titles: (id) => void db.run("UPDATE sessions SET title = NULL WHERE id = ?", id),
    // Rooms of a project or of two people are named after them: such names are kept.
    roomNames: (id) =>
      void db.run("UPDATE rooms SET key = 'group:' || id, name = id WHERE id = ? AND kind = 'group'", id),
    // Later events will end a running turn, so its row is kept.
    turnRows: (id) =>
      void db.run(
        `DELETE FROM turns WHERE id = ?1 AND ended_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM prompts WHERE turn_id = ?1)
         AND NOT EXISTS (SELECT 1 FROM events e WHERE e.session_id = turns.session_id AND e.turn_id = ?1)`,
        id,
      ),
    sessions: (id) =>
      void db.run(
        `DELETE FROM sessions WHERE id = ?1 AND status = 'ended' AND NOT EXISTS (SELECT 1 FROM turns WHERE session_id = ?1)
         AND NOT EXISTS (SELECT 1 FROM events WHERE session_id = ?1)`,
        id,
      ),
  };
}

/** The prompt of a turn is indexed with its answer; here it is indexed again without. */
function indexWithoutAnswer(db: Database, index: MemoryIndex, turnId: string): void {
  const prompts = db.all<Omit<IndexEntry, "kind" | "type" | "title" | "files">>(
    `SELECT r.ref, r.project_id AS projectId, r.session_id AS sessionId, r.created_at AS createdAt, p.text AS body
     FROM prompts p JOIN memory_rows r ON r.kind = 'prompt' AND r.ref = p.event_id
     WHERE p.session_id = (SELECT session_id FROM turns WHERE id = ?1) AND p.turn_id = ?1`,
    turnId,
  );
  for (const prompt of prompts) index.put({ ...prompt, kind: "prompt", type: null, title: "", files: [] });
}

/** Deletes the remaining rows of a project without sessions: seats, leases, its room and the project row. */
export function forgetEmptyProject(db: Database, project: { id: string; path: string }): void {
  db.run("DELETE FROM rooms WHERE key = 'project:' || ?", project.id);
  db.run(
    "DELETE FROM leases WHERE project_id = ? AND NOT EXISTS (SELECT 1 FROM sessions WHERE agent_id = holder)",
    project.id,
  );
  db.run(
    `DELETE FROM agents WHERE project = ? AND NOT EXISTS (SELECT 1 FROM sessions WHERE agent_id = agents.id)
     AND NOT EXISTS (SELECT 1 FROM deliveries WHERE agent_id = agents.id)
     AND NOT EXISTS (SELECT 1 FROM messages WHERE agent_id = agents.id)
     AND NOT EXISTS (SELECT 1 FROM leases WHERE holder = agents.id)`,
    project.path,
  );
  // An explicit capture setting is kept: forgetting must not turn capture on again.
  db.run(
    `DELETE FROM projects WHERE id = ?1 AND mode = 'on' AND NOT EXISTS (SELECT 1 FROM sessions WHERE project = ?2)
     AND NOT EXISTS (SELECT 1 FROM observations WHERE project_id = ?1)
     AND NOT EXISTS (SELECT 1 FROM summaries WHERE project_id = ?1)
     AND NOT EXISTS (SELECT 1 FROM tasks WHERE project_id = ?1)
     AND NOT EXISTS (SELECT 1 FROM leases WHERE project_id = ?1)`,
    project.id,
    project.path,
  );
}
