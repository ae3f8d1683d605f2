import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type {
  ErasureReport,
  ErasureRequest,
  HomeserverControl,
  HomeserverOptions,
  HomeserverStats,
  SignedIn,
} from "../../homeserver/contract.ts";
import { openPendingWrites, type PendingWrites } from "../../matrix-client/pending-writes.ts";
import type { HomeserverHealth } from "../../protocol/status.ts";
import { AppError } from "../../shared/errors.ts";
import type { Log, LogFields, LogLevel } from "../../shared/log.ts";
import { connectJobs, type JobCalls } from "../runtime/job-worker.ts";
import { repeatWhile } from "../runtime/repeat.ts";
import { valueWithin } from "../runtime/value-within.ts";
import { makeRestartPolicy } from "../../shared/restart-policy.ts";

/** The embedded homeserver, run by the daemon in a thread that is restarted if it dies or stalls. */
export interface EmbeddedHomeserver {
  start(): void;
  /** Undefined while it does not listen: another program may take the port then. */
  port(): number | undefined;
  ensureUser(localpart: string, displayName?: string): Promise<SignedIn>;
  setPassword(localpart: string, password: string): Promise<{ userId: string; isNew: boolean }>;
  setRegistration(isOpen: boolean): Promise<void>;
  stats(): Promise<HomeserverStats>;
  /** Our own calls to it: they are waited for before erasing, because they may carry the text. */
  readonly writes: PendingWrites;
  erase(request: ErasureRequest): Promise<ErasureReport>;
  health(): HomeserverHealth;
  stop(): Promise<void>;
}

/** The jobs of the homeserver's thread. */
export interface HomeserverJobs extends HomeserverControl {
  /** The port it listens on. Answered as soon as it does. */
  port(): number;
  /** Answered immediately; shows that the thread is responsive. */
  ping(): void;
  stop(): Promise<void>;
}

/** The options that can be cloned into a message. */
type ThreadOptions = Omit<HomeserverOptions, "clock" | "log" | "migrations">;

export interface HomeserverThreadData extends ThreadOptions {
  /** Receives a `LogEntry` per line: the daemon owns the log file. */
  logPort: MessagePort;
}

export interface LogEntry {
  level: LogLevel;
  message: string;
  fields: LogFields;
}

interface EmbeddedHomeserverDeps {
  workerUrl: URL;
  options: ThreadOptions;
  log: Log;
  onListening(port: number): void;
  /** Interval of the liveness pings. */
  pingEveryMs?: number;
}

/** A call that takes longer is found by the recheck after the deletion (`forget-resumer.ts`). */
const settleMs = 5_000;
const stopWithinMs = 2_000;
const defaultPingEveryMs = 1_000;
/** Pings without an answer until the stall is reported, and until the thread is ended: a slow disk may take seconds. */
const reportAfterPings = 2;
const restartAfterPings = 10;

interface RunningThread extends JobCalls<HomeserverJobs> {
  worker: Worker;
  isReady: boolean;
  /**
   * Rounds in which the last ping was not answered. Counted in rounds, so that a suspended machine does not look like a
   * stall.
   */
  missedPings: number;
  isPinged: boolean;
}

export function openEmbeddedHomeserver(deps: EmbeddedHomeserverDeps): EmbeddedHomeserver {
  const { log, options } = deps;
  let running: RunningThread | undefined;
  let port: number | undefined;
  const writes = openPendingWrites();
  const restarts = makeRestartPolicy();
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let stalls = 0;
  const watch = repeatWhile(deps.pingEveryMs ?? defaultPingEveryMs, checkAnswers, log);

  /** Returns false when there is nothing to watch. */
  function checkAnswers(): boolean {
    const watched = running;
    if (!watched?.isReady) return false;
    if (watched.isPinged) onMissedPing(watched);
    else void ping(watched);
    return true;
  }

  async function ping(watched: RunningThread): Promise<void> {
    watched.isPinged = true;
    try {
      await watched.call.ping(undefined);
      watched.isPinged = false;
      watched.missedPings = 0;
    } catch {
      // The thread has ended; `ended` starts another.
    }
  }

  function onMissedPing(watched: RunningThread): void {
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
    if (!running) return { state: restarts.hasGivenUp() ? "failed" : "starting", stalls, trouble: "" };
    const isStalled = running.missedPings >= reportAfterPings;
    return {
      state: !running.isReady ? "starting" : isStalled ? "unresponsive" : "ready",
      stalls,
      trouble: "",
    };
  }

  function start(): void {
    const startedAt = performance.now();
    // The same port again: clients keep the address.
    const ports = port ? [port, ...options.ports] : options.ports;
    const { port1: logLines, port2: logPort } = new MessageChannel();
    const workerData: HomeserverThreadData = { ...options, ports, logPort };
    const worker = new Worker(deps.workerUrl, {
      workerData,
      transferList: [logPort],
      // Few objects live long here: a small young generation keeps the thread small.
      resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 2 },
    });
    const calls = connectJobs<HomeserverJobs>(worker);
    const started: RunningThread = { ...calls, worker, isReady: false, missedPings: 0, isPinged: false };
    running = started;
    logLines.on("message", ({ level, message, fields }: LogEntry) => log[level](message, fields));
    worker.on("error", (error) => log.error("matrix: the homeserver failed", { error }));
    worker.on("exit", () => onEnded(started, performance.now() - startedAt));
    calls.call.port(undefined).then(
      (bound) => onListening(started, bound, performance.now() - startedAt),
      () => {}, // The thread has ended; `ended` starts another.
    );
  }

  function onListening(started: RunningThread, bound: number, ms: number): void {
    port = bound;
    started.isReady = true;
    watch.rouse();
    log.info("matrix: homeserver ready", { port: bound, ms: Math.round(ms) });
    deps.onListening(bound);
  }

  function onEnded(started: RunningThread, aliveMs: number): void {
    started.close(new AppError("homeserver_unavailable", "The homeserver is not running."));
    if (running === started) running = undefined;
    if (isStopping) return;
    const pauseMs = restarts.nextPauseMs(aliveMs);
    if (pauseMs === undefined) {
      log.error("matrix: the homeserver does not stay up; it is left alone until the next start");
      return;
    }
    timer = setTimeout(start, pauseMs).unref();
  }

  /** The jobs of the running thread. Throws `homeserver_unavailable` if there is none. */
  function requireJobs(): JobCalls<HomeserverJobs>["call"] {
    if (!running) throw new AppError("homeserver_unavailable", "The homeserver is not running.");
    return running.call;
  }

  return {
    start,
    port: () => (running?.isReady ? port : undefined),
    ensureUser: async (localpart, displayName) => requireJobs().ensureUser({ localpart, displayName }),
    setPassword: async (localpart, password) => requireJobs().setPassword({ localpart, password }),
    setRegistration: async (isOpen) => requireJobs().setRegistration({ isOpen }),
    stats: async () => requireJobs().stats(undefined),
    writes,
    async erase(request) {
      await valueWithin(writes.whenSettled(), settleMs);
      return requireJobs().erase(request);
    },
    health,
    async stop() {
      isStopping = true;
      watch.stop();
      clearTimeout(timer);
      const stopping = running;
      if (!stopping) return;
      const timeout = new Promise<void>((resolve) => void setTimeout(resolve, stopWithinMs).unref());
      await Promise.race([stopping.call.stop(undefined).catch(() => {}), timeout]); // The thread ends either way.
      await stopping.worker.terminate();
    },
  };
}
