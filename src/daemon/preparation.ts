import { Worker } from "node:worker_threads";
import { type PreparedEvent, prepareEvent } from "../domain/capture/prepare-event.ts";
import { AppError, type ErrorCode } from "../shared/errors.ts";

/** Turns raw payloads into events; large ones in a worker, so that 50 MB of JSON does not stop the bell. */
export interface Preparation {
  prepare(raw: Uint8Array): PreparedEvent | Promise<PreparedEvent>;
  close(): Promise<void>;
}

export interface PrepareRequest {
  job: number;
  raw: Uint8Array;
  fieldLimit: number;
}

export type PrepareAnswer =
  | { job: number; prepared: PreparedEvent }
  | { job: number; error: { code: ErrorCode; message: string } };

const largeBytes = 256 * 1024;
const idleMs = 10_000;

export function openPreparation(fieldLimit: number, workerUrl: URL): Preparation {
  const jobs = new Map<number, { resolve(prepared: PreparedEvent): void; reject(error: Error): void }>();
  let nextJob = 0;
  let worker: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function startWorker(): Worker {
    const started = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: 1024 } });
    started.on("message", (answer: PrepareAnswer) => {
      const waiting = jobs.get(answer.job);
      jobs.delete(answer.job);
      if ("prepared" in answer) waiting?.resolve(answer.prepared);
      else waiting?.reject(new AppError(answer.error.code, answer.error.message));
      if (jobs.size === 0) idleTimer = setTimeout(() => void stop(), idleMs).unref();
    });
    started.on("error", failAll);
    started.on("exit", () => failAll(new Error("the worker ended")));
    started.unref();
    return started;
  }

  function failAll(cause: Error): void {
    worker = undefined;
    for (const waiting of jobs.values())
      waiting.reject(
        new AppError("invalid_payload", `The payload could not be read: ${cause.message}.`, { cause }),
      );
    jobs.clear();
  }

  /** Its memory goes back to the system: large payloads are rare. */
  async function stop(): Promise<void> {
    clearTimeout(idleTimer);
    const stopping = worker;
    worker = undefined;
    await stopping?.terminate();
  }

  return {
    prepare(raw) {
      if (raw.byteLength <= largeBytes) return prepareEvent(raw, fieldLimit);
      clearTimeout(idleTimer);
      worker ??= startWorker();
      const job = nextJob++;
      const request: PrepareRequest = { job, raw, fieldLimit };
      return new Promise((resolve, reject) => {
        jobs.set(job, { resolve, reject });
        worker?.postMessage(request, [raw.buffer as ArrayBuffer]); // moved, not copied: nobody else reads it
      });
    },
    close: stop,
  };
}
