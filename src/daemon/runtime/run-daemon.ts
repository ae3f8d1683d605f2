import { existsSync } from "node:fs";
import type { Environment } from "../../config/environment.ts";
import { type Home, prepareHome } from "../../config/home.ts";
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import { isResponding } from "../../http/listen.ts";
import { build } from "../../shared/build.ts";
import { systemClock } from "../../shared/clock.ts";
import { AppError } from "../../shared/errors.ts";
import { type Log, openLogFile } from "../../shared/log.ts";
import { acquireLock, type Lock } from "../../sqlite/lock.ts";
import { isCorrupt, isStorageFull, makeStoreFull } from "../../sqlite/sqlite.ts";
import { markSuspect, openStore } from "../../store/open-store.ts";
import { type Component, startComponents } from "./component.ts";
import type { DaemonContext } from "./context.ts";
import { repeat } from "./repeat.ts";
import { makeShutdown, type Shutdown } from "./shutdown.ts";

/** The parts of a run that exist before its components. */
export interface RunContext extends Omit<DaemonContext, "config" | "bus" | "waitingHooks"> {
  given: LoadedConfig;
  startedAt: number;
  shutdown: Shutdown;
  wasUnclean: boolean;
  homeWatch: Omit<Component, "name">;
}

/** Lists the components in the order in which they start. */
type Compose = (basis: RunContext) => Component[];

export interface Daemon {
  /** Resolves when the daemon has ended, for any reason. */
  ended: Promise<void>;
  stop(reason: string, error?: unknown): Promise<void>;
}

/** How long a new daemon waits for its predecessor to release the lock. */
const handoverMs = 3_000;
/** If damage recurs this soon after a check, the check missed it. */
const soonMs = 60_000;
/** A daemon that keeps finding damage has a broken disk. */
const maxDamages = 3;
const damaged = "damaged database";
const checkHomeMs = 5_000;

/**
 * Starts the components. If the database turns out to be damaged or its file disappears, at any time, everything is stopped
 * and started again; the start checks the database and sets a damaged one aside. Throws `daemon_running` if another
 * daemon holds this home.
 */
export async function runDaemon(home: Home, environment: Environment, compose: Compose): Promise<Daemon> {
  try {
    return await startLocked(home, environment, compose);
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    throw isStorageFull(cause) ? makeStoreFull(cause) : error;
  }
}

async function startLocked(home: Home, environment: Environment, compose: Compose): Promise<Daemon> {
  process.umask(0o077); // For the files of SQLite and the sockets.
  prepareHome(home);
  const lock = await acquireLock(home.lock, handoverMs, () => isResponding(home.socket));
  if (!lock) throw new AppError("daemon_running", `Another daemon runs in ${home.root}.`);
  let damages = 0;
  let damagedAt = -soonMs;

  /** Returns whether to start again. */
  function recordDamage(damage: unknown): boolean {
    damages = performance.now() - damagedAt < soonMs ? damages + 1 : 1;
    damagedAt = performance.now();
    markSuspect(home.database, { reason: (damage as Error).message, isCertain: damages > 1 });
    return damages <= maxDamages;
  }

  async function startUndamaged(): Promise<Run> {
    let hasChecked = false;
    for (;;) {
      try {
        return await startRun(home, environment, lock as Lock, compose);
      } catch (error) {
        if (isCorrupt(error)) {
          if (!recordDamage(error)) throw error;
          continue;
        }
        if (hasChecked || !mayBeDamage(error)) throw error;
        hasChecked = true;
        markSuspect(home.database, { reason: (error as Error).message, isCertain: false });
      }
    }
  }

  let run = await startUndamaged();
  async function runToEnd(): Promise<void> {
    for (let end = await run.ended; end.reason !== "home gone"; end = await run.ended) {
      if (end.damage === undefined || !recordDamage(end.damage)) return lock?.release();
      run = await startUndamaged();
    }
  }
  const ended = runToEnd();
  return {
    ended,
    stop(reason, error) {
      run.stop(reason, error);
      return ended;
    },
  };
}

/**
 * Damage inside a value is not noticed by SQLite, but by the code that reads the value. Errors of ours and of the system
 * have other causes.
 */
function mayBeDamage(error: unknown): boolean {
  return !(error instanceof AppError) && !isStorageFull(error) && !(error as NodeJS.ErrnoException).syscall;
}

/** The time from opening the database to closing it. */
interface Run {
  ended: Promise<RunEnd>;
  stop(reason: string, error?: unknown): void;
}

interface RunEnd {
  reason: "home gone" | "stopped";
  /** The first error that proved the database damaged, if any. */
  damage?: unknown;
}

/** Opens the database and starts all components. Throws the database's own error if it is damaged. */
async function startRun(home: Home, environment: Environment, lock: Lock, compose: Compose): Promise<Run> {
  const clock = systemClock;
  const startedAt = clock();
  const given = loadConfig(home.config, environment);
  const log = openLogFile({ path: home.log, level: given.config.log.level, clock });
  log.info("daemon starting", { pid: process.pid, ...build, node: process.version });
  const shutdown = makeShutdown();
  const ended = Promise.withResolvers<RunEnd>();
  const onHomeGone = (): void => ended.resolve({ reason: "home gone" });
  let damage: unknown;
  const store = openStore(home.database, clock, (error) => {
    // The files at these paths belong to another daemon now.
    if (!lock.isInPlace()) return onHomeGone();
    if (damage === undefined) log.error("the database is damaged", { error });
    damage ??= error;
    shutdown.request(damaged);
  });
  const wasUnclean = existsSync(home.daemonFile);
  let stopComponents: () => Promise<void>;
  try {
    const basis = { home, environment, store, log, clock, given, startedAt, shutdown, wasUnclean };
    const homeWatch = openHomeWatch(lock.isInPlace, onHomeGone, log);
    stopComponents = await startComponents(compose({ ...basis, homeWatch }), log);
  } catch (error) {
    store.close();
    log.close();
    throw damage ?? error;
  }

  async function stop(): Promise<void> {
    const { reason, error } = await shutdown.requested;
    if (error === undefined) log.info("daemon stopping", { reason });
    else log.error("daemon stopping", { reason, error });
    await stopComponents();
    log.info("daemon stopped", { reason });
    log.close();
    ended.resolve({ reason: "stopped", damage: reason === damaged ? damage : undefined });
  }
  void stop();
  return { ended: ended.promise, stop: shutdown.request };
}

/**
 * Detects a home that was deleted or replaced. The daemon then exits immediately and writes no files: the path may now
 * belong to another daemon.
 */
function openHomeWatch(isInPlace: () => boolean, onGone: () => void, log: Log): RunContext["homeWatch"] {
  let timer: { stop(): void } | undefined;

  function check(): void {
    if (isInPlace()) return;
    timer?.stop();
    onGone();
  }

  return {
    start() {
      timer = repeat(checkHomeMs, check, log);
    },
    stop: () => timer?.stop(),
  };
}
