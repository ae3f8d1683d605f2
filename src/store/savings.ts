import type { SavingsView } from "../protocol/viewer.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { parseJson } from "../shared/json.ts";

export interface SavingsJob {
  from: number;
  timeZone: string;
}

/** Sources are estimated by their length only. */
const lettersPerToken = 4;

interface InjectedRow {
  kind: string;
  ref: string;
  point: string;
  tokens: number;
  at: number;
  sources: string | null;
}

/**
 * Tokens injected and tokens saved per day. Injected: everything given to sessions. Saved: for notes given in full,
 * the tokens their source events had cost to read, minus the note itself. A row of the index saves nothing on its own.
 * docs/viewer.md has the formula and its limits.
 */
export function countSavings(db: Database, { from, timeZone }: SavingsJob): SavingsView {
  const rows = db.all<InjectedRow>(
    `SELECT i.kind, i.ref, i.point, i.tokens, i.at,
       CASE WHEN i.point = 'session.started' THEN NULL ELSE o.source_events END AS sources
     FROM injections i LEFT JOIN observations o ON i.kind = 'observation' AND o.id = i.ref WHERE i.at >= ? ORDER BY i.at`,
    from,
  );
  const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone });
  const days = new Map<string, { day: string; injected: number; saved: number }>();
  let indexRows = 0;
  let recalled = 0;
  for (const row of rows) {
    const name = dayOf.format(row.at);
    const day = days.get(name) ?? { day: name, injected: 0, saved: 0 };
    days.set(name, day);
    day.injected += row.tokens;
    if (row.point === "session.started") indexRows++;
    if (row.point === "session.started" || row.kind !== "observation") continue;
    recalled++;
    day.saved += Math.max(0, tokensOfSources(db, row.sources) - row.tokens);
  }
  const list = [...days.values()];
  const sum = (of: "injected" | "saved"): number => list.reduce((total, day) => total + day[of], 0);
  return { days: list, injected: sum("injected"), saved: sum("saved"), indexRows, recalled };
}

function tokensOfSources(db: Database, sources: string | null): number {
  if (sources === null) return 0;
  const letters = (parseJson(sources) as string[]).reduce((total, id) => {
    const event = db.get<{ n: number }>("SELECT length(payload) AS n FROM events WHERE id = ?", id);
    return total + (event?.n ?? 0);
  }, 0);
  return Math.ceil(letters / lettersPerToken);
}
