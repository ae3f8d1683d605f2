import { parseJson } from "../shared/json.ts";
import type { ForgetTarget } from "./select-forgotten.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** Something that is being forgotten. */
export interface ForgettingRow {
  id: number;
  /** Null once its rows are gone: only bytes are left of them. */
  target: ForgetTarget | null;
  /** JSON: what the homeserver has not been told yet. */
  erasure: string | null;
}

/** The table `forgettings`: written first, removed last, so that nothing is forgotten by half. */
export interface ForgettingTable {
  begin(target: ForgetTarget, at: number): ForgettingRow;
  setErasure(id: number, erasure: string | null): void;
  /** Its rows are gone: the words that it was told by must not outlive them. */
  endRows(id: number): void;
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
    endRows(id) {
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
