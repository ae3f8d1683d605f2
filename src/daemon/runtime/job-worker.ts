import { parentPort, Worker } from "node:worker_threads";
import { AppError, type ErrorCode, toAppError } from "../../shared/errors.ts";

/** The jobs of a worker: functions with at most one parameter. Both sides share the type. */
type JobTable<Jobs> = { [Name in keyof Jobs]: (input: never) => unknown };

/** The same functions, called from another thread. */
export type RemoteJobs<Jobs extends JobTable<Jobs>> = {
  [Name in keyof Jobs]: (
    input: Parameters<Jobs[Name]>[0],
    options?: JobOptions,
  ) => Promise<Awaited<ReturnType<Jobs[Name]>>>;
};

interface JobRequest {
  job: number;
  name: string;
  input: unknown;
}

type JobAnswer =
  | { job: number; output: unknown }
  | { job: number; error: { code: ErrorCode; message: string } };

export interface JobOptions {
  /** After this the job fails and its worker is ended: a thread that hangs would block all later jobs. */
  timeoutMs?: number;
  transfer?: ArrayBuffer[];
}

/** A worker that is started on demand and stopped after an idle time. */
export interface JobWorker<Jobs extends JobTable<Jobs>> {
  call: RemoteJobs<Jobs>;
  close(): Promise<void>;
}

interface Running {
  worker: Worker;
  waiting: Map<number, { resolve(output: never): void; reject(error: Error): void }>;
}

/**
 * `youngMb` is the size of the young generation: a small one saves memory, a large one speeds up a worker that reads a
 * lot.
 */
export function openJobWorker<Jobs extends JobTable<Jobs>>(
  url: URL,
  workerData: unknown,
  idleMs: number,
  youngMb = 2,
): JobWorker<Jobs> {
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

  /** Rejects only the jobs of this worker, not those of its successor. */
  function giveUp(ended: Running, cause: Error): void {
    if (running === ended) running = undefined;
    for (const job of ended.waiting.values())
      job.reject(new AppError("internal", `A worker ended: ${cause.message}.`, { cause }));
    ended.waiting.clear();
  }

  /** Frees the worker's memory. */
  async function stop(): Promise<void> {
    clearTimeout(idleTimer);
    const stopping = running;
    running = undefined;
    await stopping?.worker.terminate();
  }

  function run(
    name: string,
    input: unknown,
    { timeoutMs, transfer = [] }: JobOptions = {},
  ): Promise<unknown> {
    clearTimeout(idleTimer);
    running ??= start();
    const mine = running;
    const job = nextJob++;
    const request: JobRequest = { job, name, input };
    return new Promise((resolve, reject) => {
      mine.waiting.set(job, { resolve, reject });
      // Keeps the process alive until the answer arrives.
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
  }

  const call = new Proxy({} as RemoteJobs<Jobs>, {
    get: (_target, name) => (input: unknown, options?: JobOptions) => run(String(name), input, options),
  });
  return { call, close: stop };
}

/** The worker's side of `openJobWorker`. */
export function serveJobs<Jobs extends JobTable<Jobs>>(jobs: Jobs): void {
  parentPort?.on("message", (request: JobRequest) => {
    void answer(jobs, request).then((message) => parentPort?.postMessage(message));
  });
}

async function answer<Jobs extends JobTable<Jobs>>(
  jobs: Jobs,
  { job, name, input }: JobRequest,
): Promise<JobAnswer> {
  try {
    const run: ((input: never) => unknown) | undefined = jobs[name as keyof Jobs];
    if (!run) throw new Error(`unknown job ${name}`);
    return { job, output: await run(input as never) };
  } catch (error) {
    const { code, message } = toAppError(error);
    return { job, error: { code, message } };
  }
}
