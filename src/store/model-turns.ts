import type { Database } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";

/** The notes that the rules made of a turn, without a model. */
export interface PlainNotes {
  observations: string[];
  summary: string | null;
}

export interface ModelTurn {
  turnId: string;
  projectId: string;
  plain: PlainNotes;
  tries: number;
  notBefore: number;
  createdAt: number;
}

/** Turns waiting for a model. Each turn is queued once and sent once. */
export interface ModelTurnTable {
  insert(turn: Omit<ModelTurn, "tries" | "notBefore">): void;
  /** The due turn that has waited longest. One that is due later than the longest pause counts as due: the clock was set back. */
  findNextDue(now: number, maxPauseMs: number): ModelTurn | undefined;
  /** When the next turn is due. */
  findNextTime(): number | undefined;
  countWaiting(): number;
  markAsking(turnId: string): void;
  /** For a call that was not charged: the turn is retried later. */
  postpone(turnId: string, notBefore: number): void;
  end(turnId: string, state: "done" | "dropped", note: string): void;
  /**
   * Drops turns whose call was in progress when the daemon died. It may have been charged, so it is not repeated.
   * Returns how many.
   */
  dropInterrupted(): number;
  /** Removes finished turns, which are no longer needed. */
  removeEndedBefore(time: number): void;
}

const columns =
  "turn_id AS turnId, project_id AS projectId, plain, tries, not_before AS notBefore, created_at AS createdAt";

export function openModelTurnTable(db: Database): ModelTurnTable {
  return {
    insert({ turnId, projectId, plain, createdAt }) {
      db.run(
        `INSERT INTO model_turns (turn_id, project_id, plain, state, not_before, created_at) VALUES (?, ?, ?, 'waiting', ?, ?)
         ON CONFLICT (turn_id) DO NOTHING`,
        turnId,
        projectId,
        JSON.stringify(plain),
        createdAt,
        createdAt,
      );
    },
    findNextDue(now, maxPauseMs) {
      const row = db.get<Omit<ModelTurn, "plain"> & { plain: string }>(
        `SELECT ${columns} FROM model_turns WHERE state = 'waiting' AND (not_before <= ?1 OR not_before > ?1 + ?2) ORDER BY not_before LIMIT 1`,
        now,
        maxPauseMs,
      );
      return row && { ...row, plain: parseJson(row.plain) as PlainNotes };
    },
    findNextTime: () =>
      db.get<{ at: number | null }>("SELECT min(not_before) AS at FROM model_turns WHERE state = 'waiting'")
        ?.at ?? undefined,
    countWaiting: () =>
      db.get<{ n: number }>("SELECT count(*) AS n FROM model_turns WHERE state = 'waiting'")?.n ?? 0,
    markAsking(turnId) {
      db.run("UPDATE model_turns SET state = 'asking', tries = tries + 1 WHERE turn_id = ?", turnId);
    },
    postpone(turnId, notBefore) {
      db.run("UPDATE model_turns SET state = 'waiting', not_before = ? WHERE turn_id = ?", notBefore, turnId);
    },
    end(turnId, state, note) {
      db.run("UPDATE model_turns SET state = ?, note = ? WHERE turn_id = ?", state, note, turnId);
    },
    dropInterrupted: () =>
      db.run("UPDATE model_turns SET state = 'dropped', note = 'interrupted' WHERE state = 'asking'").changes,
    removeEndedBefore(time) {
      db.run("DELETE FROM model_turns WHERE state IN ('done', 'dropped') AND created_at < ?", time);
    },
  };
}
