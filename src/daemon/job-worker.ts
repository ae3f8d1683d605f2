import { Worker } from "node:worker_threads";
import { AppError, type ErrorCode } from "../shared/errors.ts";

/** What goes to a worker and what comes back. */
export interface JobRequest {
  job: number;
  name: string;
  input: unknown;
}

export type JobAnswer =
  | { job: number; output: unknown }
  | { job: number; error: { code: ErrorCode; message: string } };

/** A worker that is started when there is something to do and let go when there has not been for a while. */
export interface JobWorker {
  run<Output>(
    name: string,
    input: unknown,
    options?: { timeoutMs?: number; transfer?: ArrayBuffer[] },
  ): Promise<Output>;
  close(): Promise<void>;
}

export function openJobWorker(url: URL, workerData: unknown, idleMs: number): JobWorker {
  const waiting = new Map<number, { resolve(output: never): void; reject(error: Error): void }>();
  let nextJob = 0;
  let worker: Worker | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(url, { workerData, resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 8 } });
    started.on("message", (answer: JobAnswer) => {
      const job = waiting.get(answer.job);
      waiting.delete(answer.job);
      if ("output" in answer) job?.resolve(answer.output as never);
      else job?.reject(new AppError(answer.error.code, answer.error.message));
      if (waiting.size === 0) idleTimer = setTimeout(() => void stop(), idleMs).unref();
    });
    const fail = (cause: Error): void => {
      if (worker === started) worker = undefined;
      for (const job of waiting.values())
        job.reject(new AppError("internal", `A worker ended: ${cause.message}.`, { cause }));
      waiting.clear();
    };
    started.on("error", fail);
    started.on("exit", () => fail(new Error("it was stopped")));
    started.unref();
    return started;
  }

  /** Its memory goes back to the system. */
  async function stop(): Promise<void> {
    clearTimeout(idleTimer);
    const stopping = worker;
    worker = undefined;
    await stopping?.terminate();
  }

  return {
    run<Output>(
      name: string,
      input: unknown,
      options: { timeoutMs?: number; transfer?: ArrayBuffer[] } = {},
    ): Promise<Output> {
      clearTimeout(idleTimer);
      worker ??= start();
      const job = nextJob++;
      const request: JobRequest = { job, name, input };
      return new Promise<Output>((resolve, reject) => {
        waiting.set(job, { resolve, reject });
        worker?.postMessage(request, options.transfer ?? []);
        if (options.timeoutMs === undefined) return;
        setTimeout(() => {
          if (waiting.delete(job))
            reject(new AppError("internal", `${name} took longer than ${options.timeoutMs} ms.`));
        }, options.timeoutMs).unref();
      });
    },
    close: stop,
  };
}
