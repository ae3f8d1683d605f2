import type { RecallOutcome } from "../domain/memory/recall.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** The result of one showing. */
export interface Showing {
  ref: string;
  /** 1: used; 0: ignored; -1: the user objected to a note that had counted as used. */
  used: 1 | 0 | -1;
}

/** What came of showing notes at prompts. */
export interface RecallOutcomes {
  add(showing: Showing): void;
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
