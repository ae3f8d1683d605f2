import { Worker } from "node:worker_threads";
import { AppError, type ErrorCode } from "../../shared/errors.ts";

/** What goes to a worker and what comes back. */
export interface JobRequest {
  job: number;
  name: string;
  input: unknown;
}

export type JobAnswer =
  | { job: number; output: unknown }
  | { job: number; error: { code: ErrorCode; message: string } };

export interface JobOptions {
  /** Beyond this the job is given up and its worker with it: a thread that hangs would hold up all that follow. */
  timeoutMs?: number;
  transfer?: ArrayBuffer[];
}

/** A worker that is started when there is something to do and let go when there has not been for a while. */
export interface JobWorker {
  run<Output>(name: string, input: unknown, options?: JobOptions): Promise<Output>;
  close(): Promise<void>;
}

interface Running {
  worker: Worker;
  waiting: Map<number, { resolve(output: never): void; reject(error: Error): void }>;
}

/** `youngMb`: room for what is garbage soon. Little keeps a thread small; much lets one that reads a lot go faster. */
export function openJobWorker(url: URL, workerData: unknown, idleMs: number, youngMb = 2): JobWorker {
  let nextJob = 0;
  let running: Running | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function start(): Running {
    const worker = new Worker(url, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: youngMb },
    });
    const started: Running = { worker, waiting: new Map() };
    worker.on("message", (answer: JobAnswer) => {
      const job = started.waiting.get(answer.job);
      started.waiting.delete(answer.job);
      if ("output" in answer) job?.resolve(answer.output as never);
      else job?.reject(new AppError(answer.error.code, answer.error.message));
      if (started.waiting.size > 0) return;
      worker.unref();
      if (running === started) idleTimer = setTimeout(() => void stop(), idleMs).unref();
    });
    worker.on("error", (error) => giveUp(started, error));
    worker.on("exit", () => giveUp(started, new Error("it was stopped")));
    worker.unref();
    return started;
  }

  /** Only the jobs of this very worker: its successor's are none of its business. */
  function giveUp(ended: Running, cause: Error): void {
    if (running === ended) running = undefined;
    for (const job of ended.waiting.values())
      job.reject(new AppError("internal", `A worker ended: ${cause.message}.`, { cause }));
    ended.waiting.clear();
  }

  /** Its memory goes back to the system. */
  async function stop(): Promise<void> {
    clearTimeout(idleTimer);
    const stopping = running;
    running = undefined;
    await stopping?.worker.terminate();
  }

  return {
    run<Output>(
      name: string,
      input: unknown,
      { timeoutMs, transfer = [] }: JobOptions = {},
    ): Promise<Output> {
      clearTimeout(idleTimer);
      running ??= start();
      const mine = running;
      const job = nextJob++;
      const request: JobRequest = { job, name, input };
      return new Promise<Output>((resolve, reject) => {
        mine.waiting.set(job, { resolve, reject });
        // A daemon that ends waits for what it has begun: without this it would be gone before the answer.
        mine.worker.ref();
        mine.worker.postMessage(request, transfer);
        if (timeoutMs === undefined) return;
        setTimeout(() => {
          if (!mine.waiting.delete(job)) return;
          reject(new AppError("internal", `${name} took longer than ${timeoutMs} ms.`));
          giveUp(mine, new Error(`${name} took too long`));
          void mine.worker.terminate();
        }, timeoutMs).unref();
      });
    },
    close: stop,
  };
}
