import { setImmediate as nextTurn } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { distilTurn } from "../../domain/memory/distil/distil-turn.ts";
import type { Query } from "../../domain/memory/query.ts";
import type { SearchFilter } from "../../store/memory-match.ts";
import { type EventLimits, measureEvents } from "../../store/events.ts";
import { type ExportFilter, type ExportPlace, readPortable } from "../../store/portable.ts";
import { embedRows } from "../../store/embed-rows.ts";
import { type Embedder, openEmbedder } from "../../store/embedder.ts";
import { reindexRows } from "../../store/reindex-rows.ts";
import { type MemorySearch, openMemorySearch } from "../../store/memory-search.ts";
import { openDatabase } from "../../store/sqlite.ts";
import { serveJobs } from "../serve-jobs.ts";
import { assembleTurn } from "./assemble-turn.ts";
import { readTurns, type ReadTurnsJob } from "../import/read-turns.ts";
import { findForgotten } from "../care/find-forgotten.ts";
import { findFilesWith } from "../care/scan-files.ts";
import type { ForgetTarget } from "../../store/select-forgotten.ts";
import { type BlameJob, findOrigin } from "./blame.ts";
import { judgeRecall } from "./judge-recall.ts";
import type { ModelPromptJob, PreparedTurn } from "./model-distilling.ts";
import { prepareForModel } from "./prepare-for-model.ts";
import type { DistilJob, DistilledTurn } from "./distilling.ts";

export interface SearchJob {
  query: Query;
  filter: SearchFilter;
  limit: number;
  /** Rather later than without the vectors that a new worker has not taken in yet. */
  isPatient?: boolean;
}

interface MemoryWorkerSettings {
  database: string;
  exclude: readonly string[];
}

interface OpenedSearch {
  search: MemorySearch;
  whole: Promise<void>;
}

/** Search, embedding and distilling, on connections that only read: what they find is written by the main thread. */
export function serveMemory(): void {
  const { database, exclude } = workerData as MemoryWorkerSettings;
  const exclusion = makeExclusion(exclude);
  let embedder: Embedder | undefined;
  let opened: OpenedSearch | undefined;
  const db = openDatabase(database, { readOnly: true });

  // The table takes memory, and not every worker searches.
  function useEmbedder(): Embedder {
    embedder ??= openEmbedder();
    return embedder;
  }

  /** Vectors are taken in a few at a time, between jobs: who is in a hurry is answered with what is there. */
  function openSearch(): OpenedSearch {
    const search = openMemorySearch(database, useEmbedder());
    const whole = (async () => {
      while (search.refresh()) await nextTurn();
    })();
    return { search, whole };
  }

  serveJobs({
    warm: () => void (opened ??= openSearch()),
    async find({ query, filter, limit, isPatient }: SearchJob) {
      opened ??= openSearch();
      if (isPatient) await opened.whole;
      return opened.search.find(query, filter, limit);
    },
    embed: (most: number) => embedRows(db, useEmbedder(), most),
    reindex: (most: number) => reindexRows(db, most),
    blame: (job: BlameJob) => findOrigin(db, job),
    readTurns: (job: ReadTurnsJob) => readTurns(job, exclusion),
    findForgotten: (target: ForgetTarget) => findForgotten(db, target),
    findFilesWith,
    measureEvents: (limits: EventLimits) => measureEvents(db, limits),
    exportPage: ({ filter, place }: { filter: ExportFilter; place: ExportPlace }) =>
      readPortable(db, filter, place),
    distil({ turnId, told }: DistilJob): DistilledTurn | undefined {
      const turn = assembleTurn(db, turnId, told);
      if (!turn) return undefined;
      return { turn, ...distilTurn(turn.record, turn.promptEventId), showings: judgeRecall(db, turn) };
    },
    modelPrompt({ turnId, project }: ModelPromptJob): PreparedTurn | undefined {
      const turn = assembleTurn(db, turnId);
      return turn && prepareForModel(turn, project);
    },
  });
}
