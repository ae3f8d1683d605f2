import { writeFileSync } from "node:fs";
import type { Environment } from "../config/environment.ts";
import { type Home, prepareHome } from "../config/home.ts";
import { loadConfig } from "../config/load.ts";
import { isListening } from "../http/listen.ts";
import { build } from "../shared/build.ts";
import { systemClock } from "../shared/clock.ts";
import { AppError } from "../shared/errors.ts";
import { openLogFile } from "../shared/log.ts";
import { acquireLock } from "../sqlite/lock.ts";
import { openStore, suspectMark } from "../store/open-store.ts";
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
import { startComponents } from "./runtime/component.ts";
import { makeHookLoad } from "./runtime/hook-load.ts";
import { openHomeWatch } from "./runtime/home-watch.ts";
import { openMetrics } from "./runtime/metrics.ts";
import { makeShutdown } from "./runtime/shutdown.ts";
import { loadOrCreateToken } from "./runtime/token.ts";
import { openUpgrading } from "./runtime/upgrading.ts";

export interface Daemon {
  /** Resolves when the daemon has ended, for any reason. */
  ended: Promise<void>;
  stop(reason: string, error?: unknown): Promise<void>;
}

/** How long a new daemon waits for its predecessor to release the lock. */
const handoverMs = 3_000;

/** Composes and starts everything. Throws `daemon_running` if another daemon holds this home. */
export async function startDaemon(home: Home, environment: Environment): Promise<Daemon> {
  process.umask(0o077); // For the files of SQLite and the sockets.
  prepareHome(home);
  const lock = await acquireLock(home.lock, handoverMs, () => isListening(home.socket));
  if (!lock) throw new AppError("daemon_running", `Another daemon runs in ${home.root}.`);

  const clock = systemClock;
  const startedAt = clock();
  const given = loadConfig(home.config, environment);
  const log = openLogFile({ path: home.log, level: given.config.log.level, clock });
  log.info("daemon starting", { pid: process.pid, ...build, node: process.version });
  const store = openStore(home.database, clock);
  if (store.setAside) log.error("the database was damaged and set aside", { path: store.setAside });
  if (store.applied.length > 0) log.info("database migrated", { migrations: store.applied });
  const confirmed = openConfirmedSettings(store.meta, given.config);
  const loaded = confirmed.enforce(given);
  const { config } = loaded;

  const shutdown = makeShutdown();
  const ended = Promise.withResolvers<void>();
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
  const asking = openAsking({ ...context, loaded, deliveries, secret: token, channels });
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
    onCorrupt(error) {
      // The next start checks the database; until then events stay in the spool.
      log.error("the database is damaged", { error });
      writeFileSync(suspectMark(home.database), "");
      shutdown.request("damaged database");
    },
  });
  const importing = openImporting(context);
  const care = openCare({ ...context, matrix: matrix.eraser, sweep: capture.intake.sweep });
  const parts = { deliveries, waking, memory, matrix, asking, mail, capture, importing, care };
  const basis = { loaded, confirmed, token, startedAt, addresses, shutdown, metrics };
  const { viewer, doors } = openApi({ ...context, ...basis, ...parts });

  const stopComponents = await startComponents(
    [
      { name: "store", stop: store.close },
      { name: "addresses", stop: addresses.remove },
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
      { name: "home watch", ...openHomeWatch(lock.isInPlace, ended.resolve, log) },
      // After the listeners: no session waits for the homeserver.
      { name: "matrix", start: () => matrix.home?.start(), stop: () => matrix.home?.stop() },
      { name: "person", start: asking.person.start, stop: asking.person.stop },
      { name: "mail", start: mail.start, stop: mail.stop },
    ],
    log,
  );
  log.info("daemon ready", { port: addresses.port(), ms: clock() - startedAt });

  async function stop(): Promise<void> {
    const { reason, error } = await shutdown.requested;
    if (error === undefined) log.info("daemon stopping", { reason });
    else log.error("daemon stopping", { reason, error });
    await stopComponents();
    log.info("daemon stopped", { reason });
    log.close();
    lock?.release();
    ended.resolve();
  }
  void stop();

  return {
    ended: ended.promise,
    stop(reason, error) {
      shutdown.request(reason, error);
      return ended.promise;
    },
  };
}
