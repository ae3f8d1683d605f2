import type { SpendRow } from "../protocol/model.ts";
import type { Database } from "../sqlite/sqlite.ts";
import { openRowTable } from "./row-table.ts";

interface ModelCall {
  id: string;
  turnId: string | null;
  projectId: string | null;
  provider: string;
  model: string;
  day: string;
  inputTokens: number;
  outputTokens: number;
  usd: number | null;
  startedAt: number;
  /** Recorded, but not counted against the budget. */
  isFree: boolean;
}

/** The ledger of model calls. */
export interface ModelCallTable {
  /** Records a call before it is made, at its maximum cost. */
  reserve(call: ModelCall): void;
  settle(
    id: string,
    settled: {
      outcome: string;
      inputTokens: number;
      outputTokens: number;
      usd: number | null;
      endedAt: number;
    },
  ): void;
  /** Closes calls that were never settled: they count as spent in full. */
  settleInterrupted(endedAt: number): void;
  /** The total of a day, without free calls. */
  sumSpentOn(day: string): { calls: number; tokens: number; usd: number };
  report(fromDay: string): SpendRow[];
}

const columns =
  "id, turn_id, project_id, provider, model, day, input_tokens, output_tokens, usd, started_at, is_free";

export function openModelCallTable(db: Database, origin: string): ModelCallTable {
  const table = openRowTable<ModelCall>(db, "model_calls", columns);
  return {
    reserve(call) {
      table.insert(call, { outcome: "reserved", origin });
    },
    settle(id, { outcome, inputTokens, outputTokens, usd, endedAt }) {
      db.run(
        "UPDATE model_calls SET outcome = ?, input_tokens = ?, output_tokens = ?, usd = ?, ended_at = ? WHERE id = ?",
        outcome,
        inputTokens,
        outputTokens,
        usd,
        endedAt,
        id,
      );
    },
    settleInterrupted(endedAt) {
      db.run("UPDATE model_calls SET outcome = 'lost', ended_at = ? WHERE outcome = 'reserved'", endedAt);
    },
    sumSpentOn: (day) =>
      db.get<{ calls: number; tokens: number; usd: number }>(
        `SELECT count(*) AS calls, coalesce(sum(input_tokens + output_tokens), 0) AS tokens, coalesce(sum(usd), 0) AS usd
         FROM model_calls WHERE day = ? AND is_free = 0`,
        day,
      ) ?? { calls: 0, tokens: 0, usd: 0 },
    report: (fromDay) =>
      db.all<SpendRow>(
        `SELECT c.day, c.provider, c.model, coalesce(p.name, '') AS project, count(*) AS calls,
           sum(c.outcome = 'kept') AS answered, sum(c.input_tokens) AS inputTokens, sum(c.output_tokens) AS outputTokens,
           coalesce(sum(c.usd), 0) AS usd, sum(c.usd IS NULL) AS unpriced
         FROM model_calls c LEFT JOIN projects p ON p.id = c.project_id WHERE c.day >= ?
         GROUP BY c.day, c.provider, c.model, project ORDER BY c.day DESC, c.provider, c.model, project`,
        fromDay,
      ),
  };
}
