import type { Handlers } from "../../http/handlers.ts";
import type { memoryEndpoints } from "../../protocol/endpoints/memory.ts";
import type { modelEndpoints } from "../../protocol/endpoints/model.ts";
import type { NoteView } from "../../protocol/memory.ts";
import { chooseEmbeddings } from "../../config/embeddings-choice.ts";
import { localTime } from "../../shared/clock.ts";
import { nameModel } from "../../store/embedder.ts";
import { openReconciler, type ReadTurnsJobs } from "./reconciler.ts";
import { openJobWorker } from "../runtime/job-worker.ts";
import type { DaemonContext } from "../runtime/context.ts";
import { makePace } from "../runtime/pace.ts";
import type { BlameJobs } from "./blame.ts";
import type { BlameFileJobs } from "./blame-file.ts";
import { type DistilJobs, openDistiller } from "./distiller.ts";
import { type EmbedJobs, openLocalEmbedder } from "./local-embedder.ts";
import type { EmbeddingJobs } from "./embedding-jobs.ts";
import { type Embeddings, identifyModel, openEmbeddings } from "./embeddings.ts";
import { openPromptIndexer } from "./prompt-indexer.ts";
import { keepStaleSessions } from "./keep-session.ts";
import { makeMemoryApi } from "./memory-api.ts";
import { type Model, openModel } from "./model.ts";
import type { ModelPromptJobs } from "./model-distiller.ts";
import { openRecall, type Recall } from "./recall.ts";
import type { SearchJobs } from "./search-jobs.ts";

export interface Memory {
  handlers: Handlers<typeof memoryEndpoints & typeof modelEndpoints>;
  /** By its id or an unambiguous suffix. */
  getNote(id: string): NoteView;
  recall: Recall;
  model: Model;
  embeddings: Embeddings;
  start(): void;
  stop(): Promise<void>;
}

/** Builds the components that learn from sessions and recall notes. */
export function openMemory(deps: DaemonContext): Memory {
  const { home, environment, config, store, bus, log, clock, waitingHooks } = deps;
  const choice = chooseEmbeddings(config.embeddings, environment, home.secrets);
  const searchWorker = openJobWorker<SearchJobs & EmbedJobs & EmbeddingJobs & BlameJobs & BlameFileJobs>(
    new URL("./search-worker.js", import.meta.url),
    { database: home.database, endpoint: identifyModel(choice) },
    300_000,
  );
  // A separate thread, so that a search for a prompt does not wait behind a turn that is being distilled.
  const distilWorker = openJobWorker<DistilJobs & ModelPromptJobs & ReadTurnsJobs>(
    new URL("./distil-worker.js", import.meta.url),
    { database: home.database, exclude: config.capture.exclude },
    10_000,
  );
  const reconciler = openReconciler({ store, log, clock, worker: distilWorker });
  const model = openModel({
    home,
    environment,
    settings: config.model,
    store,
    bus,
    log,
    clock,
    dayOf: localTime.date,
    worker: distilWorker,
  });
  const embeddings = openEmbeddings({
    home,
    environment,
    settings: config.embeddings,
    choice,
    budget: { tokens: config.model.dailyTokens, usd: config.model.dailyUsd },
    dayOf: localTime.date,
    store,
    log,
    clock,
    worker: searchWorker,
    waitingHooks,
  });
  const localEmbedder = openLocalEmbedder({
    store,
    worker: searchWorker,
    model: nameModel(),
    log,
    waitingHooks,
  });
  const prompts = openPromptIndexer({ store, log, waitingHooks });
  const distiller = openDistiller({
    store,
    bus,
    log,
    clock,
    worker: distilWorker,
    model,
    reconciler,
    prompts,
  });
  const settings = { ...config.context, ...config.recall, machines: config.hub.injectMachines };
  const recall = openRecall({
    store,
    worker: searchWorker,
    distiller,
    settings,
    log,
    clock,
    embedQuery: embeddings.embedQuery,
  });
  const api = makeMemoryApi({
    store,
    bus,
    clock,
    worker: searchWorker,
    recall,
    embedQuery: embeddings.embedQuery,
  });
  return {
    handlers: { ...api.handlers, ...model.handlers },
    getNote: api.getNote,
    recall,
    model,
    embeddings,
    start() {
      // Calls that a killed daemon left open count as made.
      store.modelCalls.settleInterrupted(clock());
      distiller.start();
      keepStaleSessions(store, makePace(waitingHooks)).catch((error: unknown) =>
        log.error("sessions not summarised", { error }),
      );
      localEmbedder.start();
      model.start();
      embeddings.start();
    },
    async stop() {
      distiller.stop();
      await localEmbedder.stop();
      await model.stop();
      await embeddings.stop();
      await Promise.all([searchWorker.close(), distilWorker.close()]);
    },
  };
}
