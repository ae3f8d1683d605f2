import type { SourceEvent } from "../protocol/viewer.ts";
import type { InjectionRow } from "./injections.ts";
import type { Database } from "../sqlite/sqlite.ts";

const maxEvents = 30;
const maxLetters = 8_000;
const maxInjections = 200;

/** The events that a note was made from, oldest first. */
export function readSourceEvents(db: Database, ids: readonly string[]): SourceEvent[] {
  return ids
    .slice(0, maxEvents)
    .flatMap((id) => {
      const event = db.get<SourceEvent>(
        `SELECT id, event, tool_name AS tool, occurred_at AS at, via, substr(payload, 1, ${maxLetters}) AS payload
         FROM events WHERE id = ?`,
        id,
      );
      return event ? [event] : [];
    })
    .toSorted((a, b) => a.at - b.at);
}

/** The sessions that were given a note, newest first. */
export function readInjectionsOf(db: Database, ref: string): InjectionRow[] {
  return db.all<InjectionRow>(
    `SELECT session_id AS sessionId, kind, ref, point, reason, score, tokens, event_id AS eventId, at FROM injections
     WHERE kind = 'observation' AND ref = ? ORDER BY at DESC LIMIT ${maxInjections}`,
    ref,
  );
}
