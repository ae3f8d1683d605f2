import { Worker } from "node:worker_threads";
import type { ErasureReport, ErasureRequest } from "../../homeserver/services/erasure.ts";
import type { ControlRequest, WorkerMessage, WorkerOptions } from "../../homeserver/worker.ts";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import type { Log } from "../../shared/log.ts";
import type { HomeserverStats, SignedIn } from "../../homeserver/control.ts";
import type { HomeserverHealth } from "../../protocol/status.ts";
import { repeatWhile } from "../runtime/repeat.ts";
import { makeRestarts } from "../../shared/restarts.ts";

/** The embedded homeserver, run by the daemon in a thread that is restarted if it dies or stalls. */
export interface EmbeddedHomeserver {
  start(): void;
  /** Undefined until it listens. */
  port(): number | undefined;
  ensureUser(localpart: string, displayName?: string): Promise<SignedIn>;
  setPassword(localpart: string, password: string): Promise<{ userId: string; isNew: boolean }>;
  setRegistration(isOpen: boolean): Promise<void>;
  stats(): Promise<HomeserverStats>;
  erase(request: ErasureRequest): Promise<ErasureReport>;
  health(): HomeserverHealth;
  stop(): Promise<void>;
}

export interface EmbeddedHomeserverDeps {
  workerUrl: URL;
  options: WorkerOptions;
  log: Log;
  onListening(port: number): void;
  /** Interval of the liveness pings. */
  pingEveryMs?: number;
}

const stopWithinMs = 2_000;
const defaultPingEveryMs = 1_000;
/** Pings without an answer until the stall is reported, and until the thread is ended: a slow disk may take seconds. */
const reportAfterPings = 2;
const restartAfterPings = 10;

interface Running {
  worker: Worker;
  isReady: boolean;
  /** Rounds in which the last ping was not answered. Counted in rounds, so that a suspended machine does not look like a stall. */
  missedPings: number;
  isPinged: boolean;
  ready: PromiseWithResolvers<void>;
  waiting: Map<number, { resolve(output: never): void; reject(error: Error): void }>;
}

export function openEmbeddedHomeserver(deps: EmbeddedHomeserverDeps): EmbeddedHomeserver {
  const { log, options } = deps;
  let running: Running | undefined;
  let port: number | undefined;
  let nextId = 0;
  const restarts = makeRestarts();
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let stalls = 0;
  const watch = repeatWhile(deps.pingEveryMs ?? defaultPingEveryMs, checkAnswers, log);

  /** Returns false when there is nothing to watch. */
  function checkAnswers(): boolean {
    const watched = running;
    if (!watched?.isReady) return false;
    if (watched.isPinged) missedPing(watched);
    else void ping(watched);
    return true;
  }

  async function ping(watched: Running): Promise<void> {
    watched.isPinged = true;
    try {
      await call("ping", undefined);
      watched.isPinged = false;
      watched.missedPings = 0;
    } catch {
      // The thread has ended; `ended` starts another.
    }
  }

  function missedPing(watched: Running): void {
    watched.missedPings++;
    if (watched.missedPings === reportAfterPings) {
      stalls++;
      log.warn("matrix: the homeserver does not respond");
    }
    if (watched.missedPings !== restartAfterPings) return;
    log.error("matrix: the homeserver is restarted: it did not respond");
    void watched.worker.terminate();
  }

  function health(): HomeserverHealth {
    if (!running) return { state: restarts.hasGivenUp() ? "failed" : "starting", stalls };
    const isStalled = running.missedPings >= reportAfterPings;
    return { state: !running.isReady ? "starting" : isStalled ? "unresponsive" : "ready", stalls };
  }

  function start(): void {
    const startedAt = performance.now();
    // The same port again: clients keep the address.
    const ports = port ? [port, ...options.ports] : options.ports;
    const worker = new Worker(deps.workerUrl, {
      workerData: { ...options, ports },
      // Few objects live long here: a small young generation keeps the thread small.
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 2 },
    });
    const started: Running = {
      worker,
      isReady: false,
      missedPings: 0,
      isPinged: false,
      ready: Promise.withResolvers(),
      waiting: new Map(),
    };
    started.ready.promise.catch(() => {}); // Callers that await it get the error; often there are none.
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
    started.isReady = true;
    watch.rouse();
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
    const pauseMs = restarts.next(aliveMs);
    if (pauseMs === undefined) {
      log.error("matrix: the homeserver does not stay up; it is left alone until the next start");
      return;
    }
    timer = setTimeout(start, pauseMs).unref();
  }

  async function call<Output>(name: ControlRequest["name"], input: unknown): Promise<Output> {
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
    health,
    async stop() {
      isStopping = true;
      watch.stop();
      clearTimeout(timer);
      const stopping = running;
      if (!stopping) return;
      const timeout = new Promise<void>((resolve) => void setTimeout(resolve, stopWithinMs).unref());
      await Promise.race([call("stop", undefined).catch(() => {}), timeout]); // The thread ends either way.
      await stopping.worker.terminate();
    },
  };
}
