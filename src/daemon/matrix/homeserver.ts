import { Worker } from "node:worker_threads";
import type { HomeserverControl, HomeserverStats, SignedIn } from "../../homeserver/control.ts";
import type { ErasureReport, ErasureRequest } from "../../homeserver/services/erasure.ts";
import type { ControlRequest, WorkerMessage, WorkerOptions } from "../../homeserver/worker.ts";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";

/** The embedded homeserver, as the daemon holds it: a thread that is started again if it dies. */
export interface EmbeddedHomeserver {
  start(): void;
  /** Undefined until it listens. */
  port(): number | undefined;
  ensureUser(localpart: string, displayName?: string): Promise<SignedIn>;
  setPassword(localpart: string, password: string): Promise<{ userId: string; isNew: boolean }>;
  setRegistration(isOpen: boolean): Promise<void>;
  stats(): Promise<HomeserverStats>;
  erase(request: ErasureRequest): Promise<ErasureReport>;
  stop(): Promise<void>;
}

export interface EmbeddedHomeserverDeps {
  workerUrl: URL;
  options: WorkerOptions;
  log: Log;
  onListening(port: number): void;
}

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
const mostRestarts = 5;
/** After this long in good health the count begins anew. */
const healthyMs = 60_000;
const stopWithinMs = 2_000;

interface Running {
  worker: Worker;
  ready: PromiseWithResolvers<void>;
  waiting: Map<number, { resolve(output: never): void; reject(error: Error): void }>;
}

export function openEmbeddedHomeserver(deps: EmbeddedHomeserverDeps): EmbeddedHomeserver {
  const { log, options } = deps;
  let running: Running | undefined;
  let port: number | undefined;
  let nextId = 0;
  let restarts = 0;
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    const startedAt = performance.now();
    // The same port again: clients keep the address.
    const ports = port ? [port, ...options.ports] : options.ports;
    const worker = new Worker(deps.workerUrl, {
      workerData: { ...options, ports },
      // Little garbage lives long here: a small nursery keeps the thread small.
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 2 },
    });
    const started: Running = { worker, ready: Promise.withResolvers(), waiting: new Map() };
    started.ready.promise.catch(() => {}); // Those who wait for it hear; often nobody does.
    running = started;
    worker.on("message", (message: WorkerMessage) => {
      if (message.kind === "log") log[message.level](message.message, message.fields);
      else if (message.kind === "ready") listening(started, message.port, performance.now() - startedAt);
      else settle(started, message);
    });
    worker.on("error", (error) => log.error("matrix: the homeserver failed", { error }));
    worker.on("exit", () => ended(started, performance.now() - startedAt));
  }

  function listening(started: Running, bound: number, ms: number): void {
    port = bound;
    log.info("matrix: homeserver ready", { port: bound, ms: Math.round(ms) });
    started.ready.resolve();
    deps.onListening(bound);
  }

  function settle(started: Running, message: Extract<WorkerMessage, { kind: "answer" | "failure" }>): void {
    const call = started.waiting.get(message.id);
    started.waiting.delete(message.id);
    if (message.kind === "answer") call?.resolve(message.output as never);
    else call?.reject(new AppError(message.code as ErrorCode, message.message));
  }

  function ended(started: Running, aliveMs: number): void {
    const gone = new AppError("homeserver_unavailable", "The homeserver is not running.");
    started.ready.reject(gone);
    for (const call of started.waiting.values()) call.reject(gone);
    started.waiting.clear();
    if (running === started) running = undefined;
    if (isStopping) return;
    restarts = aliveMs > healthyMs ? 1 : restarts + 1;
    if (restarts > mostRestarts) {
      log.error("matrix: the homeserver does not stay up; it is left alone until the next start");
      return;
    }
    timer = setTimeout(start, Math.min(firstDelayMs * 2 ** (restarts - 1), longestDelayMs)).unref();
  }

  async function call<Output>(name: keyof HomeserverControl | "stop", input: unknown): Promise<Output> {
    const mine = running;
    if (!mine) throw new AppError("homeserver_unavailable", "The homeserver is not running.");
    await mine.ready.promise;
    const request: ControlRequest = { id: nextId++, name, input };
    return new Promise<Output>((resolve, reject) => {
      mine.waiting.set(request.id, { resolve, reject });
      mine.worker.postMessage(request);
    });
  }

  return {
    start,
    port: () => port,
    ensureUser: (localpart, displayName) => call("ensureUser", { localpart, displayName }),
    setPassword: (localpart, password) => call("setPassword", { localpart, password }),
    setRegistration: (isOpen) => call("setRegistration", { isOpen }),
    stats: () => call("stats", undefined),
    erase: (request) => call("erase", request),
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      const stopping = running;
      if (!stopping) return;
      const timeout = new Promise<void>((resolve) => void setTimeout(resolve, stopWithinMs).unref());
      await Promise.race([call("stop", undefined).catch(() => {}), timeout]); // It goes either way.
      await stopping.worker.terminate();
    },
  };
}
