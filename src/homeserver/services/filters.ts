import { parseJson } from "../../shared/json.ts";
import type { JsonObject } from "../json.ts";
import type { BatchedDatabase } from "./batched-database.ts";

/** The table `filters`. Equal filters of a user share an id. */
interface Filters {
  add(userId: string, filter: JsonObject): string;
  get(userId: string, id: string): JsonObject | undefined;
}

export function openFilters(db: BatchedDatabase): Filters {
  return {
    add(userId, filter) {
      const text = JSON.stringify(filter);
      const known = db.get<{ n: number }>(
        "SELECT n FROM filters WHERE user = ? AND filter = ?",
        userId,
        text,
      );
      if (known) return String(known.n);
      const n =
        (db.get<{ n: number | null }>("SELECT max(n) AS n FROM filters WHERE user = ?", userId)?.n ?? 0) + 1;
      db.write("INSERT INTO filters (user, n, filter) VALUES (?, ?, ?)", userId, n, text);
      return String(n);
    },
    get(userId, id) {
      if (!/^\d{1,9}$/.test(id)) return undefined;
      const row = db.get<{ filter: string }>(
        "SELECT filter FROM filters WHERE user = ? AND n = ?",
        userId,
        Number(id),
      );
      return row && (parseJson(row.filter) as JsonObject);
    },
  };
}
