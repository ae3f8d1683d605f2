import type { Database } from "../sqlite/sqlite.ts";
import type { Selection } from "./selection.ts";
import { nameOf } from "./tombstones.ts";

/** Tombstone names of the selected rows. For a time span, only those that its times do not cover. */
export function listNames(db: Database, selection: Selection, isSpan: boolean): string[] {
  const names: string[] = [];
  for (const id of selection.turns) {
    names.push(nameOf.turn(id));
    const rows = db.all<{ sessionId: string; promptId: string | null; key: string | null }>(
      `SELECT session_id AS sessionId, prompt_id AS promptId, transcript_key AS key FROM turns WHERE id = ?1 UNION
       SELECT session_id, prompt_id, NULL FROM prompts WHERE session_id = (SELECT session_id FROM turns WHERE id = ?1) AND turn_id = ?1`,
      id,
    );
    for (const { sessionId, promptId, key } of rows) {
      if (promptId !== null) names.push(nameOf.prompt(sessionId, promptId));
      if (key !== null) names.push(nameOf.key(key));
    }
  }
  for (const id of selection.titles) names.push(nameOf.title(id));
  for (const id of selection.mail) {
    const eventId = db.get<{ id: string | null }>("SELECT event_id AS id FROM messages WHERE id = ?", id)?.id;
    names.push(nameOf.document(id));
    if (eventId) names.push(nameOf.message(eventId));
  }
  if (isSpan) return names; // The span itself covers the rest.
  for (const id of [...selection.observations, ...selection.summaries, ...selection.prompts])
    names.push(nameOf.document(id));
  for (const id of selection.events) names.push(nameOf.event(id));
  for (const [kind, table] of [
    ["observation", "observations"],
    ["summary", "summaries"],
  ] as const)
    for (const id of selection[table]) {
      const row = db.get<{ sessionId: string | null; at: number }>(
        `SELECT session_id AS sessionId, created_at AS at FROM ${table} WHERE id = ?`,
        id,
      );
      if (row?.sessionId) names.push(nameOf.foreign(row.sessionId, kind, row.at));
    }
  return names;
}

export function readTitles(db: Database, ids: readonly string[]): string[] {
  return ids.map(
    (id) => db.get<{ title: string }>("SELECT title FROM observations WHERE id = ?", id)?.title ?? "",
  );
}

/** The transcript of a turn, and the host's id of its prompt there. */
export function readTurnSource(
  db: Database,
  turnId: string,
): { promptId: string | null; path: string | null } | undefined {
  return db.get(
    `SELECT t.prompt_id AS promptId, s.transcript_path AS path FROM turns t JOIN sessions s ON s.id = t.session_id WHERE t.id = ?`,
    turnId,
  );
}

export function readKnownTranscripts(db: Database): string[] {
  return db
    .all<{ path: string }>(
      "SELECT transcript_path AS path FROM sessions WHERE transcript_path IS NOT NULL UNION SELECT path FROM imported_files",
    )
    .map(({ path }) => path);
}
