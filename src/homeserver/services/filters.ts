import { parseJson } from "../../shared/json.ts";
import type { JsonObject } from "../json.ts";
import type { Ledger } from "./ledger.ts";

/** The table `filters`. Equal filters of a user share an id. */
interface Filters {
  add(userId: string, filter: JsonObject): string;
  get(userId: string, id: string): JsonObject | undefined;
}

export function openFilters(ledger: Ledger): Filters {
  return {
    add(userId, filter) {
      const text = JSON.stringify(filter);
      const known = ledger.get<{ n: number }>(
        "SELECT n FROM filters WHERE user = ? AND filter = ?",
        userId,
        text,
      );
      if (known) return String(known.n);
      const n =
        (ledger.get<{ n: number | null }>("SELECT max(n) AS n FROM filters WHERE user = ?", userId)?.n ?? 0) +
        1;
      ledger.write("INSERT INTO filters (user, n, filter) VALUES (?, ?, ?)", userId, n, text);
      return String(n);
    },
    get(userId, id) {
      if (!/^\d{1,9}$/.test(id)) return undefined;
      const row = ledger.get<{ filter: string }>(
        "SELECT filter FROM filters WHERE user = ? AND n = ?",
        userId,
        Number(id),
      );
      return row && (parseJson(row.filter) as JsonObject);
    },
  };
}
