import { setFlagsFromString } from "node:v8";
import { parentPort, Worker } from "node:worker_threads";
import { AppError, type ErrorCode, toAppError } from "../../shared/errors.ts";

/** The jobs of a worker: functions with at most one parameter. Both sides share the type. */
type JobTable<Jobs> = { [Name in keyof Jobs]: (input: never) => unknown };

/** The same functions, called from another thread. */
type RemoteJobs<Jobs extends JobTable<Jobs>> = {
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

interface JobOptions {
  /** After this the job fails and its worker is ended: a thread that hangs would block all later jobs. */
  timeoutMs?: number;
  transfer?: ArrayBuffer[];
}

/** A worker that is started on demand and stopped after an idle time. */
export interface JobWorker<Jobs extends JobTable<Jobs>> {
  call: RemoteJobs<Jobs>;
  close(): Promise<void>;
}

/** The jobs of one running thread. */
export interface JobCalls<Jobs extends JobTable<Jobs>> {
  call: RemoteJobs<Jobs>;
  /** Rejects the running jobs; later calls fail too. */
  close(reason: Error): void;
  isClosed(): boolean;
}

/** Connects to `serveJobs` in a thread. A call made before the thread listens waits in its queue. */
export function connectJobs<Jobs extends JobTable<Jobs>>(
  worker: Worker,
  { onCall = () => {}, onIdle = () => {} }: { onCall?(): void; onIdle?(): void } = {},
): JobCalls<Jobs> {
  let nextJob = 0;
  let closed: Error | undefined;
  const waiting = new Map<number, { resolve(output: unknown): void; reject(error: Error): void }>();
  worker.on("message", (answer: JobAnswer) => {
    const job = waiting.get(answer.job);
    waiting.delete(answer.job);
    if ("output" in answer) job?.resolve(answer.output);
    else job?.reject(new AppError(answer.error.code, answer.error.message));
    if (waiting.size === 0) onIdle();
  });

  function close(reason: Error): void {
    closed ??= reason;
    for (const job of waiting.values()) job.reject(reason);
    waiting.clear();
  }

  function run(
    name: string,
    input: unknown,
    { timeoutMs, transfer = [] }: JobOptions = {},
  ): Promise<unknown> {
    if (closed) return Promise.reject(closed);
    const job = nextJob++;
    const request: JobRequest = { job, name, input };
    return new Promise((resolve, reject) => {
      waiting.set(job, { resolve, reject });
      onCall();
      worker.postMessage(request, transfer);
      if (timeoutMs === undefined) return;
      setTimeout(() => {
        if (!waiting.delete(job)) return;
        reject(new AppError("internal", `${name} took longer than ${timeoutMs} ms.`));
        close(new AppError("internal", `A worker ended: ${name} took too long.`));
        void worker.terminate();
      }, timeoutMs).unref();
    });
  }

  const call = new Proxy({} as RemoteJobs<Jobs>, {
    get: (_target, name) => (input: unknown, options?: JobOptions) => run(String(name), input, options),
  });
  return { call, close, isClosed: () => closed !== undefined };
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
  let running: (JobCalls<Jobs> & { worker: Worker }) | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function start(): NonNullable<typeof running> {
    const restoreFlag = allowYoung(youngMb);
    const worker = new Worker(url, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: youngMb },
    });
    const calls = connectJobs<Jobs>(worker, {
      // Keeps the process alive until the answer arrives.
      onCall: () => worker.ref(),
      onIdle() {
        worker.unref();
        if (running?.worker === worker) idleTimer = setTimeout(() => void stop(), idleMs).unref();
      },
    });
    worker.once("online", restoreFlag);
    worker.once("exit", restoreFlag);
    const giveUp = (cause: Error): void =>
      calls.close(new AppError("internal", `A worker ended: ${cause.message}.`, { cause }));
    worker.on("error", giveUp);
    worker.on("exit", () => giveUp(new Error("it was stopped")));
    worker.unref();
    return { ...calls, worker };
  }

  /** Frees the worker's memory. */
  async function stop(): Promise<void> {
    clearTimeout(idleTimer);
    const stopping = running;
    running = undefined;
    await stopping?.worker.terminate();
  }

  function current(): RemoteJobs<Jobs> {
    clearTimeout(idleTimer);
    if (!running || running.isClosed()) running = start();
    return running.call;
  }

  const call = new Proxy({} as RemoteJobs<Jobs>, {
    get: (_target, name) => (input: never, options?: JobOptions) =>
      current()[name as keyof Jobs](input, options),
  });
  return { call, close: stop };
}

const semiSpaceFlag = "--max-semi-space-size=";

/**
 * The daemon runs with a flag that keeps young generations small, and the flag has precedence over a worker's own limit.
 * It is read when a thread starts, so it is raised until then. Returns a function that restores it.
 */
function allowYoung(youngMb: number): () => void {
  const given = process.execArgv.findLast((flag) => flag.startsWith(semiSpaceFlag));
  // A young generation consists of three semi-spaces.
  const wantedMb = Math.floor(youngMb / 3);
  if (given === undefined || Number(given.slice(semiSpaceFlag.length)) >= wantedMb) return () => {};
  setFlagsFromString(`${semiSpaceFlag}${wantedMb}`);
  return () => setFlagsFromString(given);
}

/** The worker's side of `connectJobs`. */
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
