import { parseJson } from "../shared/json.ts";
import type { ForgetTarget } from "./select-forgotten.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** A deletion in progress. */
export interface ForgettingRow {
  id: number;
  /** Null once its rows are deleted and only bytes remain to be erased. */
  target: ForgetTarget | null;
  /** JSON: the part that the homeserver has not been asked to erase yet. */
  erasure: string | null;
}

/** The table `forgettings`: its row is written first and removed last, so that an interrupted deletion is resumed. */
export interface ForgettingTable {
  begin(target: ForgetTarget, at: number): ForgettingRow;
  setErasure(id: number, erasure: string | null): void;
  /** Marks its rows as deleted and clears the target: the searched words must not outlive the rows. */
  markRowsRemoved(id: number): void;
  end(id: number): void;
  all(): ForgettingRow[];
}

export function openForgettingTable(db: Database): ForgettingTable {
  return {
    begin(target, at) {
      const made = db.get<{ id: number }>(
        "INSERT INTO forgettings (target, started_at) VALUES (?, ?) RETURNING id",
        JSON.stringify(target),
        at,
      );
      return { id: made?.id ?? 0, target, erasure: null };
    },
    setErasure(id, erasure) {
      db.run("UPDATE forgettings SET erasure = ? WHERE id = ?", erasure, id);
    },
    markRowsRemoved(id) {
      db.run("UPDATE forgettings SET target = NULL WHERE id = ?", id);
    },
    end(id) {
      db.run("DELETE FROM forgettings WHERE id = ?", id);
    },
    all: () =>
      db
        .all<{ id: number; target: string | null; erasure: string | null }>(
          "SELECT id, target, erasure FROM forgettings ORDER BY id",
        )
        .map((row) => ({
          ...row,
          target: row.target === null ? null : (parseJson(row.target) as ForgetTarget),
        })),
  };
}
