import { existsSync, rmSync, statSync } from "node:fs";
import type { PreparedEvent } from "../../domain/capture/prepare-event.ts";
import type { SpoolName } from "../../protocol/spool-name.ts";
import { AppError, toAppError } from "../../shared/errors.ts";
import { hasOneSessionPerProcess } from "../../hosts/detect-host.ts";
import { hostFor, resolveEvent } from "../../hosts/hosts.ts";
import { type HookReply, noReply } from "./hook-reply.ts";
import type { Ingest } from "./ingest.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { Preparation } from "./preparation.ts";
import type { RecordedEvent } from "./record-event.ts";
import { repeat } from "../runtime/repeat.ts";
import type { Spool, SpoolFile, WaitingFile } from "./spool.ts";
import type { DaemonContext } from "../runtime/context.ts";

/** Moves events from the spool into the store: commit, then unlink, then answer. */
export interface Intake {
  /** A hook has written this file and waits for the reply, unless it has given up. */
  ring(name: SpoolName, isWaiting: () => boolean): Promise<HookReply>;
  /** Whether this is the test hook of `rookery doctor`; it is answered like any other. */
  isTrial(id: string): boolean;
  /**
   * Stores the files whose hooks did not ring, except young permission requests, whose hooks ring again. Returns the
   * number of stored events.
   */
  sweep(): Promise<number>;
  start(): void;
  stop(): void;
}

/** A permission request that was just stored, with its original payload. */
export interface StoredRequest {
  hookId: string;
  raw: Uint8Array;
  prepared: PreparedEvent;
  occurredAt: number;
  recorded: RecordedEvent;
}

export interface IntakeDeps extends Pick<DaemonContext, "log" | "clock"> {
  spool: Spool;
  preparation: Preparation;
  ingest: Ingest;
  /** Looks up notes before the event is stored; `release` drops them. */
  recall: {
    prefetch(id: string, prepared: PreparedEvent): Promise<void>;
    release(id: string): void;
  };
  /** Returns whether the hook of a permission request should wait for an answer. */
  asking: {
    openIfNeeded(request: StoredRequest): boolean;
    onDismissed(hookId: string): void;
    onAllowed(hookId: string): void;
  };
  /** Runs a slash command of ours and returns its result; undefined if only the model can run it. */
  runCommand(name: string): string | undefined;
  metrics: Metrics;
  breakerFile: string;
  spoolFullFile: string;
}

const sweepEveryMs = 1_000;
/** A hook writes its file and rings at once: an older file is from a hook that could not ring. */
const leftBehindMs = 1_500;
/**
 * A permission hook waits longer for a busy daemon, and rings again while the daemon restarts. If the sweep stored its
 * event first, the question would never be asked.
 */
const permissionLeftBehindMs = 10_500;
/** A file with incomplete JSON may still be being written. */
const youngMs = 60_000;
/** How long it must stay incomplete while we watch: the age of a file is wrong after the clock was set. */
const watchedMs = 5_000;
const maxFailures = 5;
/** A request's content is read and redacted on the main thread, so larger ones are left to the terminal. */
const maxAskedBytes = 4 * 1024 * 1024;
/** Small, so that a hook that rings during a sweep waits behind few files. */
const sweepGroup = 16;

export function openIntake(deps: IntakeDeps): Intake {
  const { spool, ingest, log, clock, metrics } = deps;
  const inHand = new Set<string>();
  let timer: { stop(): void } | undefined;
  /** Failures per file, other than invalid content and a full disk. */
  const failures = new Map<string, number>();
  /** When a sweep first saw an incomplete file, on the monotonic clock. */
  const incomplete = new Map<string, number>();
  let sweeping: Promise<number> | undefined;
  let isStopping = false;
  /** Id of the wait test of `rookery doctor`, which tries the full round trip without leaving an event. */
  let trial: string | undefined;
  let hasToldFull = false;
  /** Whether hooks could not write when the last one rang. */
  let isUnspooling = false;

  async function ring(name: SpoolName, isWaiting: () => boolean): Promise<HookReply> {
    if (name.event === "PingWait") {
      spool.remove(name);
      trial = name.id;
      return { ...noReply, mustWait: true };
    }
    if (name.event === "Ping" || name.id === trial) {
      spool.remove(name);
      return { ...noReply, stdout: "pong" };
    }
    const file = spool.read(name);
    if (!file) return replyWithoutFile(name);
    inHand.add(name.name);
    try {
      return await store(name, file, "hook", isWaiting);
    } catch (error) {
      if (isUnreadable(error)) return discard(name, error);
      return ingest.pauseReason() ? reportFull(name) : noReply; // It stays in the spool; the ingest has logged the error.
    } finally {
      inHand.delete(name.name);
    }
  }

  async function store(
    name: SpoolName,
    file: SpoolFile,
    via: "hook" | "spool",
    isWaiting: () => boolean,
  ): Promise<HookReply> {
    const { id } = name;
    const occurredAt = Math.min(file.occurredAt, clock()); // The clock may have been set back.
    const { event: announced, host } = resolveEvent(name);
    const isAsked = announced === "permission" && file.raw.byteLength <= maxAskedBytes;
    // A copy, because preparing transfers large payloads to its worker.
    const raw = isAsked ? new Uint8Array(file.raw) : undefined;
    const prepared = await deps.preparation.prepare(file.raw, name);
    const { event } = prepared;
    const done = isWaiting() ? runOwnCommand(name, prepared) : undefined;
    if (done !== undefined) return { ...noReply, stdout: done };
    if (isWaiting()) await deps.recall.prefetch(id, prepared);
    const incoming = {
      id,
      host,
      hostPid: host === undefined || hasOneSessionPerProcess(host) ? file.hostPid : undefined,
      occurredAt,
      via,
      prepared,
    } as const;
    try {
      // A hook that has given up gets no reply: a delivery in it would count as shown.
      const { reply, recorded } = await ingest.submit(incoming, isWaiting());
      const mustWait =
        raw !== undefined &&
        isWaiting() &&
        deps.asking.openIfNeeded({ hookId: id, raw, prepared, occurredAt, recorded });
      spool.remove(name);
      hasToldFull = false;
      metrics.countEvent(event, via);
      return mustWait ? { ...reply, mustWait } : reply;
    } finally {
      deps.recall.release(id);
    }
  }

  /** Not stored: the prompt never reaches the conversation, and no event would end its turn. */
  function runOwnCommand(name: SpoolName, { event, prompt = "" }: PreparedEvent): string | undefined {
    const { commands } = hostFor(name.host);
    const command = event === "prompt" ? commands?.read(prompt) : undefined;
    const result = command && deps.runCommand(command);
    if (!result) return undefined;
    spool.remove(name);
    log.info("command run", { id: name.id, command });
    return commands?.formatDone(result);
  }

  /** The event was swept before its hook connected, or the hook could not write it. */
  function replyWithoutFile(name: SpoolName): HookReply {
    const reply = ingest.replyToStored(name.id);
    // Any process can connect and claim that: believe it only if there is no space.
    if (reply !== noReply || !(ingest.pauseReason() || spool.isDiskFull())) return reply;
    isUnspooling = true;
    metrics.countUnspooled();
    log.error("a hook could not write its event", { id: name.id, event: name.event });
    ingest.pause(new Error("no space for the spool"));
    return reportFull(name);
  }

  /** Notifies the user once, on hosts that show it. */
  function reportFull({ event, host }: SpoolName): HookReply {
    const kind = hostFor(host).events.read(event);
    if (hasToldFull || (kind !== "prompt" && kind !== "session.started")) return noReply;
    hasToldFull = true;
    return { ...noReply, isStoreFull: true };
  }

  function discard(name: SpoolName, error: AppError): HookReply {
    log.warn("event set aside", { id: name.id, event: name.event, code: error.code, reason: error.message });
    metrics.countRejected();
    try {
      spool.reject(name.name);
    } catch {
      // Already deleted.
    }
    return noReply;
  }

  async function sweepOne(name: SpoolName, modifiedAt: number): Promise<boolean> {
    if (name.event === "PermissionDismissed") {
      deps.asking.onDismissed(name.id);
      return false;
    }
    if (name.event === "PermissionAllowed") {
      deps.asking.onAllowed(name.id);
      return false;
    }
    if (["Monitor", "Ping", "PingWait", "PermissionWait"].includes(name.event)) {
      spool.remove(name); // Its hook did not ring; it will retry.
      return false;
    }
    try {
      const file = spool.read(name);
      if (!file) return false;
      await store(name, file, "spool", hasNoWaiter);
      failures.delete(name.name);
      incomplete.delete(name.name);
      return true;
    } catch (error) {
      if (isUnreadable(error) && isAbandoned(name, modifiedAt)) discard(name, error);
      else if (!isUnreadable(error) && !ingest.pauseReason()) countFailure(name, error);
      return false;
    }
  }

  function isAbandoned({ name }: SpoolName, modifiedAt: number): boolean {
    const seenAt = incomplete.get(name) ?? performance.now();
    incomplete.set(name, seenAt);
    const isOver = ageOf(modifiedAt) > youngMs && performance.now() - seenAt >= watchedMs;
    if (isOver) incomplete.delete(name);
    return isOver;
  }

  /** The file may not be the cause, but it must not be retried every second for ever. */
  function countFailure(name: SpoolName, error: unknown): void {
    const count = (failures.get(name.name) ?? 0) + 1;
    failures.set(name.name, count);
    if (count < maxFailures) return;
    failures.delete(name.name);
    log.error("spool file not stored", { id: name.id, error });
    discard(name, toAppError(error));
  }

  /** One sweep at a time; a second caller gets the running one. */
  function sweep(isLeft: (file: WaitingFile) => boolean): Promise<number> {
    sweeping ??= takeAll(isLeft).finally(() => {
      sweeping = undefined;
    });
    return sweeping;
  }

  async function takeAll(isLeft: (file: WaitingFile) => boolean): Promise<number> {
    const waiting = spool.list().filter((file) => isLeft(file) && !inHand.has(file.name.name));
    let stored = 0;
    for (let start = 0; start < waiting.length; start += sweepGroup) {
      const group = waiting.slice(start, start + sweepGroup);
      const results = await Promise.all(group.map(({ name, modifiedAt }) => sweepOne(name, modifiedAt)));
      stored += results.filter(Boolean).length;
      if (ingest.pauseReason() || isStopping) break;
    }
    for (const name of incomplete.keys())
      if (!waiting.some((file) => file.name.name === name)) incomplete.delete(name);
    if (stored > 0) log.info("spool swept", { stored });
    return stored;
  }

  function isLeftBehind({ name, modifiedAt }: WaitingFile): boolean {
    const patienceMs = isPermission(name) ? permissionLeftBehindMs : leftBehindMs;
    return ageOf(modifiedAt) >= patienceMs;
  }

  /**
   * If the time is in the future, the clock was set back after the file was written; the difference counts as its age.
   */
  function ageOf(modifiedAt: number): number {
    return Math.abs(clock() - modifiedAt);
  }

  /** Hooks stop ringing after a timeout until the daemon removes this file. */
  function resetBreaker(): void {
    if (existsSync(deps.breakerFile)) {
      rmSync(deps.breakerFile, { force: true });
      log.warn("hooks had stopped ringing; they may ring again");
    }
    const dropped = statSync(deps.spoolFullFile, { throwIfNoEntry: false })?.size;
    if (dropped === undefined) return;
    rmSync(deps.spoolFullFile, { force: true });
    log.error("the spool was full while the daemon was down", { dropped });
  }

  async function tick(): Promise<void> {
    try {
      resetBreaker();
      if (isUnspooling && !spool.isDiskFull()) {
        isUnspooling = false;
        hasToldFull = false;
        ingest.resume();
      }
      await sweep(isLeftBehind);
    } catch (error) {
      log.error("sweep failed", { error });
    }
  }

  return {
    ring,
    isTrial: (id) => id === trial,
    sweep: () => sweep((file) => !isPermission(file.name) || isLeftBehind(file)),
    start() {
      resetBreaker();
      timer = repeat(sweepEveryMs, () => void tick(), log);
    },
    stop() {
      isStopping = true;
      timer?.stop();
    },
  };
}

const hasNoWaiter = (): boolean => false;

function isPermission({ event, host }: SpoolName): boolean {
  return hostFor(host).events.read(event) === "permission";
}

function isUnreadable(error: unknown): error is AppError {
  return error instanceof AppError && error.kind === "invalid";
}
