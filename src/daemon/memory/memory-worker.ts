import { workerData } from "node:worker_threads";
import { distilTurn } from "../../domain/memory/distil/distil-turn.ts";
import type { Query } from "../../domain/memory/query.ts";
import type { SearchFilter } from "../../store/memory-match.ts";
import { openMemorySearch } from "../../store/memory-search.ts";
import { openDatabase } from "../../store/sqlite.ts";
import { serveJobs } from "../serve-jobs.ts";
import { assembleTurn } from "./assemble-turn.ts";
import { readTurns } from "../import/read-turns.ts";
import { type BlameJob, findOrigin } from "./blame.ts";
import type { ModelPromptJob, PreparedTurn } from "./model-distilling.ts";
import { prepareForModel } from "./prepare-for-model.ts";
import type { DistilJob, DistilledTurn } from "./distilling.ts";

export interface SearchJob {
  query: Query;
  filter: SearchFilter;
  limit: number;
}

/** Search and distilling, on connections that only read: what they find is written by the main thread. */
export function serveMemory(): void {
  const { database } = workerData as { database: string };
  const search = openMemorySearch(database);
  const db = openDatabase(database, { readOnly: true });
  serveJobs({
    find: ({ query, filter, limit }: SearchJob) => search.find(query, filter, limit),
    blame: (job: BlameJob) => findOrigin(db, job),
    readTurns,
    distil({ turnId, told }: DistilJob): DistilledTurn | undefined {
      const turn = assembleTurn(db, turnId, told);
      if (!turn) return undefined;
      return { turn, ...distilTurn(turn.record, turn.promptEventId) };
    },
    modelPrompt({ turnId, project }: ModelPromptJob): PreparedTurn | undefined {
      const turn = assembleTurn(db, turnId);
      return turn && prepareForModel(turn, project);
    },
  });
}
