import { setTimeout as pause } from "node:timers/promises";
import type { Vector } from "../../domain/memory/vector/vector.ts";
import type { Log } from "../../shared/log.ts";
import type { PendingRows } from "../../store/embedding-table.ts";
import type { Store } from "../../store/open-store.ts";
import type { VectorModel } from "../../store/vector-table.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { runLogged, repeat } from "../runtime/repeat.ts";
import type { EmbeddingJobs, FetchedVectors } from "./embedding-jobs.ts";
import type { MeteredCalls } from "./metered-calls.ts";

/** Gets a vector for every row that may be sent, in the background. */
interface RemoteEmbedder {
  start(): void;
  stop(): Promise<void>;
}

interface RemoteEmbedderDeps {
  store: Store;
  log: Log;
  worker: JobWorker<EmbeddingJobs>;
  calls: MeteredCalls;
  model: VectorModel;
  fetch(texts: readonly string[], signal: AbortSignal): Promise<FetchedVectors>;
  /** Ids of the projects whose texts may be sent. */
  listAllowed(): string[];
  /** The number of hooks that wait for an answer; they have priority. */
  waitingHooks(): number;
}

const batchRows = 32;
const checkEveryMs = 1_000;
const yieldMs = 20;
/** Pause after a local failure: a full disk lasts longer than a second. */
const failurePauseMs = 30_000;

export function openRemoteEmbedder(deps: RemoteEmbedderDeps): RemoteEmbedder {
  const { store, log, worker, calls, model } = deps;
  const stopping = new AbortController();
  /** Rows without text, and rows that the endpoint rejected. */
  const skipped: number[] = [];
  let running: Promise<void> | undefined;
  let checking: { stop(): void } | undefined;
  let restsUntil = 0;
  /** The index and the projects at the end of the last run. */
  let caughtUpWith = "";
  let allowed = "";
  /** Rows up to this one are done. */
  let cursor = 0;
  let size = batchRows;

  function check(): void {
    if (running || performance.now() < restsUntil || calls.getBlock().until > 0 || calls.isSpent()) return;
    const projectIds = deps.listAllowed();
    const state = `${store.index.countPuts()} ${projectIds.join()}`;
    if (state === caughtUpWith) return;
    // Rows of a project that was just allowed may be older.
    if (allowed !== projectIds.join()) cursor = 0;
    allowed = projectIds.join();
    running = catchUp(projectIds, state)
      .catch((error: unknown) => {
        restsUntil = performance.now() + failurePauseMs;
        log.error("rows not embedded by the endpoint", { error });
      })
      .finally(() => (running = undefined));
  }

  async function catchUp(projectIds: readonly string[], state: string): Promise<void> {
    let rows = 0;
    while (!stopping.signal.aborted && calls.getBlock().until === 0) {
      const job = { model: model.name, projectIds, after: cursor, limit: size, skipped };
      const pending = await worker.call.listPending(job);
      if (!pending) {
        caughtUpWith = state;
        break;
      }
      while (deps.waitingHooks() > 0 && !stopping.signal.aborted) await pause(yieldMs);
      if (stopping.signal.aborted) break;
      const written = await embedBatch(pending);
      if (written === "spent") break;
      rows += written;
    }
    if (rows > 0) log.info("rows embedded by the endpoint", { rows, model: model.name });
  }

  /** The vectors are stored in the commit that settles the call: a crash neither loses a stored one nor repeats it. */
  async function embedBatch(pending: PendingRows): Promise<number | "spent"> {
    const rows = pending.rows.filter(({ text }) => text !== "");
    skipped.push(...pending.rows.filter(({ text }) => text === "").map(({ row }) => row));
    if (rows.length === 0) return 0;
    const texts = rows.map(({ text }) => text);
    let written = 0;
    const settlement = await calls.call<FetchedVectors>(
      {
        turnId: null,
        projectId: pending.projectId,
        texts,
        maxOutputTokens: 0,
        send: (signal) => deps.fetch(texts, signal),
        onSettled(result) {
          if (result.outcome === "rejected" && result.why === "input") shrink(rows);
          if (result.outcome !== "answered") return result.outcome;
          const vectors = rows.map(({ row }, n) => ({ row, vector: result.vectors[n] as Vector }));
          written = store.embeddings.put(model, vectors);
          cursor = (rows[0]?.row ?? 1) - 1;
          size = Math.min(batchRows, size * 2);
          return "kept";
        },
      },
      stopping.signal,
    );
    return settlement === "spent" ? "spent" : written;
  }

  /** Called when the endpoint rejects these texts: tries fewer at once, and skips a single rejected text. */
  function shrink(rows: PendingRows["rows"]): void {
    size = Math.max(1, Math.floor(rows.length / 2));
    if (rows.length === 1) skipped.push(...rows.map(({ row }) => row));
  }

  return {
    start() {
      checking = repeat(checkEveryMs, check, log);
      runLogged(check, log);
    },
    async stop() {
      stopping.abort();
      checking?.stop();
      await running;
    },
  };
}
