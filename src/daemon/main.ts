import { existsSync } from "node:fs";
import type { Environment } from "../config/environment.ts";
import { type Home, prepareHome } from "../config/home.ts";
import { type LoadedConfig, loadConfig } from "../config/load.ts";
import { isListening } from "../http/listen.ts";
import { build } from "../shared/build.ts";
import { systemClock } from "../shared/clock.ts";
import { AppError } from "../shared/errors.ts";
import { openLogFile } from "../shared/log.ts";
import { acquireLock, type Lock } from "../sqlite/lock.ts";
import { isCorrupt, isStorageFull, makeStoreFull } from "../sqlite/sqlite.ts";
import { markSuspect, openStore } from "../store/open-store.ts";
import { openConfirmedSettings } from "./api/confirmed-settings.ts";
import { openApi } from "./api/open-api.ts";
import { openAsking } from "./ask/open-asking.ts";
import { openCapture } from "./capture/open-capture.ts";
import { openCare } from "./care/open-care.ts";
import { openDeliveries } from "./delivery/deliveries.ts";
import { makeNotices } from "./delivery/notices.ts";
import { openWaking } from "./delivery/waking.ts";
import { openSessionWatch } from "./identity/session-watch.ts";
import { openImporting } from "./import/importing.ts";
import { openLeasing } from "./mail/leasing.ts";
import { openMailChannels, openMailParts } from "./mail/open-mail.ts";
import { openMatrix } from "./matrix/open-matrix.ts";
import { openMemory } from "./memory/open-memory.ts";
import { openAddresses } from "./runtime/addresses.ts";
import { openBus } from "./runtime/bus.ts";
import { type Component, startComponents } from "./runtime/component.ts";
import type { DaemonContext } from "./runtime/context.ts";
import { makeHookLoad } from "./runtime/hook-load.ts";
import { openHomeWatch } from "./runtime/home-watch.ts";
import { openMetrics } from "./runtime/metrics.ts";
import { makeShutdown, type Shutdown } from "./runtime/shutdown.ts";
import { loadOrCreateToken } from "./runtime/token.ts";
import { openUpgrading } from "./runtime/upgrading.ts";

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

/**
 * Starts everything. If the database turns out to be damaged or its file disappears, at any time, everything is stopped
 * and started again; the start checks the database and sets a damaged one aside. Throws `daemon_running` if another
 * daemon holds this home.
 */
export async function startDaemon(home: Home, environment: Environment): Promise<Daemon> {
  try {
    return await startLocked(home, environment);
  } catch (error) {
    const cause = (error as Error).cause ?? error;
    throw isStorageFull(cause) ? makeStoreFull(cause) : error;
  }
}

async function startLocked(home: Home, environment: Environment): Promise<Daemon> {
  process.umask(0o077); // For the files of SQLite and the sockets.
  prepareHome(home);
  const lock = await acquireLock(home.lock, handoverMs, () => isListening(home.socket));
  if (!lock) throw new AppError("daemon_running", `Another daemon runs in ${home.root}.`);
  let damages = 0;
  let damagedAt = -soonMs;

  /** Returns whether to start again. */
  function noteDamage(damage: unknown): boolean {
    damages = performance.now() - damagedAt < soonMs ? damages + 1 : 1;
    damagedAt = performance.now();
    markSuspect(home.database, { reason: (damage as Error).message, isCertain: damages > 1 });
    return damages <= maxDamages;
  }

  async function startSound(): Promise<Run> {
    for (;;) {
      try {
        return await startRun(home, environment, lock as Lock);
      } catch (error) {
        if (!isCorrupt(error) || !noteDamage(error)) throw error;
      }
    }
  }

  let run = await startSound();
  async function runToEnd(): Promise<void> {
    for (let end = await run.ended; end.reason !== "home gone"; end = await run.ended) {
      if (end.damage === undefined || !noteDamage(end.damage)) return lock?.release();
      run = await startSound();
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
async function startRun(home: Home, environment: Environment, lock: Lock): Promise<Run> {
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
    stopComponents = await startComponents(compose(basis, lock, onHomeGone), log);
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

interface Basis extends Omit<DaemonContext, "config" | "bus" | "waitingHooks"> {
  given: LoadedConfig;
  startedAt: number;
  shutdown: Shutdown;
  wasUnclean: boolean;
}

/** All components, in the order in which they start. */
function compose(basis: Basis, lock: Lock, onHomeGone: () => void): Component[] {
  const { home, environment, store, log, clock, given, startedAt, shutdown, wasUnclean } = basis;
  if (store.setAside) log.error("the database was damaged and set aside", { path: store.setAside });
  if (store.applied.length > 0) log.info("database migrated", { migrations: store.applied });
  const confirmed = openConfirmedSettings(store.meta, given.config);
  const loaded = confirmed.enforce(given);
  const { config } = loaded;
  const bus = openBus(log, startedAt);
  const metrics = openMetrics();
  const hookLoad = makeHookLoad();
  const token = loadOrCreateToken(home.token);
  const addresses = openAddresses(home.daemonFile, { pid: process.pid, ...build, startedAt });
  const { waiting: waitingHooks } = hookLoad;
  const context = { home, environment, config, store, bus, log, clock, waitingHooks };

  const deliveries = openDeliveries(context);
  const waking = openWaking(context);
  const leasing = openLeasing(store, bus, clock);
  const memory = openMemory(context);
  const matrix = openMatrix(context, addresses.setMatrixPort);
  const channels = openMailChannels(store, matrix.home);
  const asking = openAsking({ ...context, loaded, deliveries, channels });
  const mail = openMailParts({ ...context, deliveries, leasing, matrix: matrix.home, asking });
  const notices = makeNotices(store, bus, addresses.url);
  const capture = openCapture({
    ...context,
    // Mail comes first; the memory index uses the space that is left.
    contributors: [notices, leasing.contribute, deliveries.contribute, memory.recall.contribute],
    recall: memory.recall,
    asking: asking.hooks,
    monitors: waking,
    metrics,
    hookLoad,
  });
  const importing = openImporting(context);
  const care = openCare({ ...context, matrix: matrix.eraser, sweep: capture.intake.sweep, wasUnclean });
  const parts = { deliveries, waking, memory, matrix, asking, mail, capture, importing, care };
  const rest = { loaded, confirmed, token, startedAt, addresses, shutdown, metrics };
  const { viewer, doors } = openApi({ ...context, ...rest, ...parts });

  return [
    // Removed last: `rookery stop` returns when this file is gone, and the database must be closed by then.
    { name: "addresses", stop: addresses.remove },
    { name: "store", stop: store.close },
    { name: "preparation", stop: capture.preparation.close },
    { name: "importing", stop: importing.stop },
    { name: "viewer", start: viewer.start, stop: viewer.stop },
    { name: "memory", start: memory.start, stop: memory.stop },
    { name: "care", start: care.start, stop: care.stop },
    { name: "deliveries", start: deliveries.start, stop: deliveries.stop },
    { name: "questions", start: asking.start, stop: asking.stop },
    // Spooled events are older than new ones, so they are queued before the bell is up.
    { name: "first sweep", ...capture.firstSweep },
    { name: "doors", start: doors.start, stop: doors.stop },
    { name: "intake", start: capture.intake.start, stop: capture.intake.stop },
    { name: "waking", start: waking.start, stop: waking.stop },
    { name: "session watch", ...openSessionWatch(store, bus, log) },
    { name: "upgrading", ...openUpgrading(context) },
    { name: "home watch", ...openHomeWatch(lock.isInPlace, onHomeGone, log) },
    // Started after the listeners, so that no session waits for the homeserver.
    { name: "matrix", start: () => matrix.home?.start(), stop: () => matrix.home?.stop() },
    { name: "person", start: asking.person.start, stop: asking.person.stop },
    { name: "mail", start: mail.start, stop: mail.stop },
    {
      name: "log",
      start: () => log.info("daemon ready", { port: addresses.port(), ms: clock() - startedAt }),
    },
  ];
}
