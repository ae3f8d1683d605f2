import { setImmediate as nextTurn } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { makeExclusion } from "../../domain/capture/exclude.ts";
import { distilTurn } from "../../domain/memory/distil/distil-turn.ts";
import { backUp } from "../../sqlite/backup.ts";
import { findDamage, openDatabase } from "../../sqlite/sqlite.ts";
import { embedRows } from "../../store/embed-rows.ts";
import { type Embedder, openEmbedder } from "../../store/embedder.ts";
import { listPending } from "../../store/embedding-table.ts";
import { measureEvents } from "../../store/events.ts";
import { reindexRows } from "../../store/reindex-rows.ts";
import { type MemorySearch, openMemorySearch } from "../../store/memory-search.ts";
import type { VectorModel } from "../../store/vector-table.ts";
import { readPortable } from "../../store/portable.ts";
import type { Scorer } from "../../domain/memory/distil/scorer.ts";
import { openScorer } from "../../store/open-scorer.ts";
import { findForgotten } from "../care/find-forgotten.ts";
import type { CareJobs } from "../care/open-care.ts";
import { findFilesWith } from "../care/scan-files.ts";
import { assembleTurn } from "../memory/assemble-turn.ts";
import { type BlameJobs, findOrigin } from "../memory/blame.ts";
import { type BlameFileJobs, findFileOrigins, listEditedFiles } from "../memory/blame-file.ts";
import type { DistilJobs } from "../memory/distiller.ts";
import { type EmbeddingJobs, fetchVectors } from "../memory/embedding-jobs.ts";
import type { EmbedJobs } from "../memory/local-embedder.ts";
import type { ModelPromptJobs } from "../memory/model-distiller.ts";
import { prepareForModel } from "../memory/prepare-for-model.ts";
import type { ReadTurnsJobs } from "../memory/reconciler.ts";
import type { SearchJobs } from "../memory/search-jobs.ts";
import { clip } from "../../shared/text.ts";
import { serveJobs } from "../runtime/job-worker.ts";
import { readTurns } from "../transcripts/read-turns.ts";
import { judgeRecall, judgeUses } from "../memory/judge-recall.ts";

type WorkerJobs = SearchJobs &
  EmbedJobs &
  EmbeddingJobs &
  BlameJobs &
  BlameFileJobs &
  ReadTurnsJobs &
  DistilJobs &
  ModelPromptJobs &
  CareJobs;

interface MemoryWorkerSettings {
  database: string;
  exclude: readonly string[];
  /** The model of the embedding endpoint, if one is set up. */
  endpoint: VectorModel | undefined;
}

interface OpenedSearch {
  search: MemorySearch;
  loaded: Promise<void>;
}

/** Search, embedding and distilling on read-only connections; the main thread writes the results. */
export function serveMemory(): void {
  const { database, exclude, endpoint } = workerData as MemoryWorkerSettings;
  const exclusion = makeExclusion(exclude);
  let embedder: Embedder | undefined;
  let scorer: Scorer | undefined;
  let opened: OpenedSearch | undefined;
  const db = openDatabase(database, { readOnly: true });

  // Loaded on first use: the table takes memory, and not every worker searches.
  function useEmbedder(): Embedder {
    embedder ??= openEmbedder();
    return embedder;
  }

  function useScorer(): Scorer {
    scorer ??= openScorer();
    return scorer;
  }

  /** Vectors are loaded a few at a time between jobs; an urgent search uses those loaded so far. */
  function openSearch(): OpenedSearch {
    const search = openMemorySearch(database, useEmbedder(), endpoint);
    const loaded = (async () => {
      while (search.refresh()) await nextTurn();
    })();
    return { search, loaded };
  }

  serveJobs<WorkerJobs>({
    warm: () => void (opened ??= openSearch()),
    async find({ query, filter, limit, wanted, mayWait }) {
      opened ??= openSearch();
      if (mayWait) await opened.loaded;
      return opened.search.find(query, filter, limit, wanted);
    },
    embed: (maxRows) => embedRows(db, useEmbedder(), maxRows),
    listPending: (job) => listPending(db, job),
    fetchVectors,
    reindex: (maxRows) => reindexRows(db, maxRows),
    blame: (job) => findOrigin(db, job),
    blameFile: (job) => findFileOrigins(db, job),
    editedFiles: (projects) => listEditedFiles(db, projects),
    readTurns: (job) => readTurns(job, exclusion),
    findForgotten: (target) => findForgotten(db, target),
    findFilesWith,
    findDamage: () => findDamageIn(database),
    backUp: (target) => backUp(database, target),
    measureEvents: (limits) => measureEvents(db, limits),
    exportPage: ({ filter, place }) => readPortable(db, filter, place),
    distil({ turnId, recorded }) {
      const turn = assembleTurn(db, turnId, recorded);
      if (!turn) return undefined;
      const { record, isPosted, previousFinal, promptEventId } = turn;
      const context = { scorer: useScorer(), previousFinal, promptEventId };
      const distilled = distilTurn({ ...record, isMachine: record.isMachine || isPosted }, context);
      if (isPosted && distilled.summary) distilled.summary.request = clip(record.prompt, 300);
      return { turn, ...distilled, showings: judgeRecall(db, turn), uses: judgeUses(db, turn) };
    },
    modelPrompt({ turnId, project }) {
      const turn = assembleTurn(db, turnId);
      return turn && !turn.isPosted ? prepareForModel(turn, project, useScorer()) : undefined;
    },
  });
}

/**
 * On a connection of its own: the check of a full-text table uses the connection's cached list of segments, which is out
 * of date after another connection has merged them, and reports the missing ones as damage.
 */
function findDamageIn(path: string): string | undefined {
  const db = openDatabase(path, { readOnly: true });
  try {
    return findDamage(db);
  } finally {
    db.close();
  }
}
