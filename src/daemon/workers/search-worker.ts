import { setImmediate as nextTurn } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { openDatabase } from "../../sqlite/sqlite.ts";
import { embedRows } from "../../store/embed-rows.ts";
import { type Embedder, openEmbedder } from "../../store/embedder.ts";
import { listPending } from "../../store/embedding-table.ts";
import { type MemorySearch, openMemorySearch } from "../../store/memory-search.ts";
import { reindexRows } from "../../store/reindex-rows.ts";
import type { VectorModel } from "../../store/vector-table.ts";
import { type BlameJobs, findOrigin } from "../memory/blame.ts";
import { type BlameFileJobs, findFileOrigins, listEditedFiles } from "../memory/blame-file.ts";
import { type EmbeddingJobs, fetchVectors } from "../memory/embedding-jobs.ts";
import type { EmbedJobs } from "../memory/local-embedder.ts";
import type { SearchJobs } from "../memory/search-jobs.ts";
import { serveJobs } from "../runtime/job-worker.ts";

interface SearchWorkerSettings {
  database: string;
  /** The model of the embedding endpoint, if one is set up. */
  endpoint: VectorModel | undefined;
}

interface OpenedSearch {
  search: MemorySearch;
  loaded: Promise<void>;
}

/** Search and embedding on read-only connections; the main thread writes the results. */
export function serveSearch(): void {
  const { database, endpoint } = workerData as SearchWorkerSettings;
  let embedder: Embedder | undefined;
  let opened: OpenedSearch | undefined;
  const db = openDatabase(database, { readOnly: true });

  // Loaded on first use: the table takes memory.
  function useEmbedder(): Embedder {
    embedder ??= openEmbedder();
    return embedder;
  }

  /** Vectors are loaded a few at a time between jobs; an urgent search uses those loaded so far. */
  function openSearch(): OpenedSearch {
    const search = openMemorySearch(database, useEmbedder(), endpoint);
    const loaded = (async () => {
      while (search.refresh()) await nextTurn();
    })();
    return { search, loaded };
  }

  serveJobs<SearchJobs & EmbedJobs & EmbeddingJobs & BlameJobs & BlameFileJobs>({
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
  });
}
