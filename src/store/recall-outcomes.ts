import type { RecallOutcome } from "../domain/memory/recall.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** The result of showing a note once. */
export interface RecallJudgement {
  ref: string;
  /** 1: used; 0: ignored; -1: the user objected to a note that had counted as used. */
  used: 1 | 0 | -1;
}

/** How often notes shown at prompts were used. */
export interface RecallOutcomes {
  add(showing: RecallJudgement): void;
  of(ref: string): RecallOutcome | undefined;
}

export function openRecallOutcomes(db: Database): RecallOutcomes {
  return {
    add({ ref, used }) {
      // The note may have been forgotten since.
      db.run(
        `INSERT INTO recall_outcomes (observation_id, shown, used)
         SELECT id, ?2, max(0, ?3) FROM observations WHERE id = ?1
         ON CONFLICT (observation_id) DO UPDATE SET shown = shown + ?2, used = max(0, used + ?3)`,
        ref,
        used === -1 ? 0 : 1,
        used,
      );
    },
    of: (ref) =>
      db.get<RecallOutcome>("SELECT shown, used FROM recall_outcomes WHERE observation_id = ?", ref),
  };
}

interface ShownNote {
  ref: string;
  text: string;
}

/** Notes that were shown at a prompt. */
export function listShown(db: Database, promptEventId: string): ShownNote[] {
  return db.all<ShownNote>(
    `SELECT o.id AS ref, o.title || ' ' || o.narrative AS text FROM injections i JOIN observations o ON o.id = i.ref
     WHERE i.event_id = ? AND i.kind = 'observation' AND i.point = 'prompt'`,
    promptEventId,
  );
}

/** The event of the last human prompt of a session before a time. */
export function previousPrompt(db: Database, sessionId: string, before: number): string | undefined {
  return db.get<{ eventId: string }>(
    `SELECT event_id AS eventId FROM prompts WHERE session_id = ? AND occurred_at < ? AND machine = 0
     ORDER BY occurred_at DESC LIMIT 1`,
    sessionId,
    before,
  )?.eventId;
}
