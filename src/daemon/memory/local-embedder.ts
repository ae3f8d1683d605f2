import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Log } from "../../shared/log.ts";
import type { Store } from "../../store/open-store.ts";
import { endReindexing, isReindexing, putReindexed, type ReindexBatch } from "../../store/reindex-rows.ts";
import type { VectorBatch } from "../../store/vector-table.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { runLogged, repeat } from "../runtime/repeat.ts";

export interface EmbedJobs {
  embed(maxRows: number): VectorBatch | undefined;
  reindex(maxRows: number): ReindexBatch | undefined;
}

/** Computes the vector of every searchable row and updates an older word index, in the background in small steps. */
interface LocalEmbedder {
  start(): void;
  stop(): Promise<void>;
}

interface LocalEmbedderDeps {
  store: Store;
  worker: JobWorker<EmbedJobs>;
  /** The worker's embedding model: after a change all rows are embedded again. */
  model: string;
  log: Log;
  /** The number of hooks that wait for an answer; they have priority. */
  waitingHooks(): number;
}

/** A batch takes about 6 ms in the worker and 2 ms in the writer. */
const batchRows = 64;
const checkEveryMs = 1_000;
const yieldMs = 20;
/** Pause after a failure: a full disk lasts longer than a second. */
const failurePauseMs = 30_000;

export function openLocalEmbedder({
  store,
  worker,
  model,
  log,
  waitingHooks,
}: LocalEmbedderDeps): LocalEmbedder {
  let running: Promise<void> | undefined;
  let checking: { stop(): void } | undefined;
  let isStopping = false;
  let restsUntil = 0;
  let caughtUpAt: number | undefined;

  function check(): void {
    // Queries the database only if the index has changed since the last run found nothing.
    if (running || performance.now() < restsUntil || store.index.countPuts() === caughtUpAt) return;
    const puts = store.index.countPuts();
    if (!store.vectors.isBehind(model) && !isReindexing(store.db)) {
      caughtUpAt = puts;
      return;
    }
    running = catchUp()
      .catch((error: unknown) => {
        restsUntil = performance.now() + failurePauseMs;
        log.error("rows not embedded", { error });
      })
      .finally(() => (running = undefined));
  }

  async function catchUp(): Promise<void> {
    if (isReindexing(store.db)) await reindex();
    let rows = 0;
    await forEachBatch<VectorBatch>(
      () => worker.call.embed(batchRows),
      (batch) => {
        store.vectors.put(batch);
        rows += batch.vectors.length;
        // Rows that are added meanwhile wait for the next check: an import would cause a transaction for every few.
        return !batch.isLast;
      },
    );
    if (rows > batchRows) log.info("rows embedded", { rows, model });
  }

  async function reindex(): Promise<void> {
    let rows = 0;
    await forEachBatch<ReindexBatch>(
      () => worker.call.reindex(batchRows),
      (batch) => {
        putReindexed(store.db, batch);
        rows += batch.rows.length;
        return true;
      },
    );
    if (isStopping) return;
    endReindexing(store.db);
    log.info("word index updated", { rows });
  }

  /** Writes the worker's results, batch by batch, whenever no hook waits, until `write` returns false. */
  async function forEachBatch<T>(
    make: () => Promise<T | undefined>,
    write: (batch: T) => boolean,
  ): Promise<void> {
    for (let goesOn = true; goesOn && !isStopping; ) {
      const batch = await make();
      if (!batch) break;
      while (waitingHooks() > 0 && !isStopping) await pause(yieldMs);
      if (isStopping) break;
      goesOn = store.db.transaction(() => write(batch));
      await nextTurn();
    }
  }

  return {
    start() {
      checking = repeat(checkEveryMs, check, log);
      runLogged(check, log);
    },
    async stop() {
      isStopping = true;
      checking?.stop();
      await running;
    },
  };
}
