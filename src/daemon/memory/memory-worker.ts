import { workerData } from "node:worker_threads";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { distilTurn } from "../../domain/memory/distil/distil-turn.ts";
import type { Query } from "../../domain/memory/query.ts";
import type { SearchFilter } from "../../store/memory-match.ts";
import { type EventLimits, measureEvents } from "../../store/events.ts";
import { type ExportFilter, type ExportPlace, readPortable } from "../../store/portable.ts";
import { openMemorySearch } from "../../store/memory-search.ts";
import { openDatabase } from "../../store/sqlite.ts";
import { serveJobs } from "../serve-jobs.ts";
import { assembleTurn } from "./assemble-turn.ts";
import { readTurns, type ReadTurnsJob } from "../import/read-turns.ts";
import { findForgotten, hasResidue } from "../care/find-forgotten.ts";
import { findFilesWith } from "../care/scan-files.ts";
import type { ForgetTarget } from "../../store/select-forgotten.ts";
import { type BlameJob, findOrigin } from "./blame.ts";
import type { ModelPromptJob, PreparedTurn } from "./model-distilling.ts";
import { prepareForModel } from "./prepare-for-model.ts";
import type { DistilJob, DistilledTurn } from "./distilling.ts";

export interface SearchJob {
  query: Query;
  filter: SearchFilter;
  limit: number;
}

interface MemoryWorkerSettings {
  database: string;
  exclude: readonly string[];
}

/** Search and distilling, on connections that only read: what they find is written by the main thread. */
export function serveMemory(): void {
  const { database, exclude } = workerData as MemoryWorkerSettings;
  const exclusion = makeExclusion(exclude);
  const search = openMemorySearch(database);
  const db = openDatabase(database, { readOnly: true });
  serveJobs({
    find: ({ query, filter, limit }: SearchJob) => search.find(query, filter, limit),
    blame: (job: BlameJob) => findOrigin(db, job),
    readTurns: (job: ReadTurnsJob) => readTurns(job, exclusion),
    findForgotten: (target: ForgetTarget) => findForgotten(db, target),
    hasResidue: (job: { database: string; source: string }) => hasResidue(db, job),
    findFilesWith,
    measureEvents: (limits: EventLimits) => measureEvents(db, limits),
    exportPage: ({ filter, place }: { filter: ExportFilter; place: ExportPlace }) =>
      readPortable(db, filter, place),
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
