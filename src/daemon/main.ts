import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../config/environment.ts";
import { type Home, prepareHome } from "../config/home.ts";
import { loadConfig } from "../config/load.ts";
import { makeApp } from "../http/app.ts";
import { isListening, type Listener, listenSocket, listenTcp } from "../http/listen.ts";
import type { DaemonFile } from "../protocol/api.ts";
import { build } from "../shared/build.ts";
import { systemClock } from "../shared/clock.ts";
import { AppError } from "../shared/errors.ts";
import { openLogFile } from "../shared/log.ts";
import { openStore, suspectMark } from "../store/open-store.ts";
import { makeBackend } from "./backend.ts";
import { openBell } from "./bell.ts";
import { openBus } from "./bus.ts";
import { openDeliveries } from "./deliveries.ts";
import { openImporting } from "./import/importing.ts";
import { openReconciling } from "./import/reconciling.ts";
import { openIngest } from "./ingest.ts";
import { openIntake } from "./intake.ts";
import { acquireLock } from "./lock.ts";
import { openJobWorker } from "./job-worker.ts";
import { openDistilling } from "./memory/distilling.ts";
import { makeMemoryApi } from "./memory/memory-api.ts";
import { openRecall } from "./memory/recall.ts";
import { openMetrics } from "./metrics.ts";
import { makeNotices } from "./notices.ts";
import { openPreparation } from "./preparation.ts";
import { openSessionWatch } from "./session-watch.ts";
import { openSpool } from "./spool.ts";
import { makeStatusReporter } from "./status.ts";
import { loadOrCreateToken } from "./token.ts";
import { openViewer } from "./viewer/open-viewer.ts";
import { openWakeBoard } from "./wake-board.ts";
import { openWaking } from "./waking.ts";

export interface Daemon {
  /** Resolves when it has ended, for whatever reason. */
  ended: Promise<void>;
  stop(reason: string, error?: unknown): Promise<void>;
}

/** How long a newcomer waits for its predecessor to let go. */
const handoverMs = 3_000;

/** Composes and starts everything. Throws `daemon_running` if another daemon holds this home. */
export async function startDaemon(home: Home, environment: Environment): Promise<Daemon> {
  process.umask(0o077); // SQLite and the sockets make their files as this says.
  prepareHome(home);
  const lock = await acquireLock(home.lock, handoverMs, () => isListening(home.socket));
  if (!lock) throw new AppError("daemon_running", `Another daemon runs in ${home.root}.`);

  const clock = systemClock;
  const startedAt = clock();
  const loaded = loadConfig(home.config, environment);
  const { config } = loaded;
  const log = openLogFile({ path: home.log, level: config.log.level, clock });
  log.info("daemon starting", {
    pid: process.pid,
    version: build.version,
    build: build.build,
    node: process.version,
  });

  const store = openStore(home.database, clock);
  if (store.setAside) log.error("the database was damaged and set aside", { path: store.setAside });
  if (store.applied.length > 0) log.info("database migrated", { migrations: store.applied });
  const token = loadOrCreateToken(home.token);

  let tcp: Listener | undefined;
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const port = (): number => tcp?.port ?? 0;
  const bus = openBus(log, startedAt);
  const metrics = openMetrics();
  const spool = openSpool(home.spool, home.rejected);
  const preparation = openPreparation(
    { fieldLimit: config.capture.fieldBytes, exclude: config.capture.exclude },
    new URL("./prepare-worker.js", import.meta.url),
  );
  const wakeBoard = openWakeBoard(home.spool, home.reply, log);
  const deliveries = openDeliveries({ store, bus, log, clock, characters: config.delivery.characters });
  const notices = makeNotices(store, bus, () => `http://127.0.0.1:${port()}/`);
  const { exclude } = config.capture;
  const memoryWorkerFile = new URL("./memory-worker.js", import.meta.url);
  const memorySettings = { database: home.database, exclude };
  const memoryWorker = openJobWorker(memoryWorkerFile, memorySettings, 300_000);
  // A thread of its own: a prompt that asks for a search does not wait behind a turn that is looked through.
  const distilWorker = openJobWorker(memoryWorkerFile, memorySettings, 10_000);
  const { reconcile } = openReconciling({ store, log, clock, worker: distilWorker });
  const distilling = openDistilling({ store, bus, log, clock, worker: distilWorker, reconcile });
  const settings = { ...config.context, ...config.recall };
  const recall = openRecall({ store, worker: memoryWorker, distilling, settings, log, clock });
  const memory = makeMemoryApi({ store, bus, clock, worker: memoryWorker, recall });
  const ingest = openIngest({
    store,
    bus,
    log,
    clock,
    // Mail first: the index makes do with the room that is left.
    contributors: [notices, deliveries.contribute, recall.contribute],
    onCorrupt(error) {
      // The next start looks before it trusts; until then everything waits in the spool.
      log.error("the database is damaged", { error });
      writeFileSync(suspectMark(home.database), "");
      void stopWhenReady("damaged database");
    },
  });
  const importing = openImporting({
    ...{ store, clock, log, homeRoot: home.root, waitingHooks: () => ingest.depth() + bell.ringing() },
    worker: openJobWorker(new URL("./import-worker.js", import.meta.url), { exclude }, 5_000),
  });
  const intake = openIntake({
    ...{ spool, preparation, ingest, recall, metrics, log, clock },
    ...{ breakerFile: home.breaker, spoolFullFile: home.spoolFull },
  });
  const bell = openBell({ intake, wakeBoard, metrics, log, replyFolder: home.reply, bellFile: home.bell });
  const waking = openWaking({ store, bus, log, wakeBoard, clock, enabled: config.delivery.wake });
  const watch = openSessionWatch(store, bus, log);
  const status = makeStatusReporter({
    home,
    build,
    store,
    spool,
    ingest,
    metrics,
    wakeBoard,
    clock,
    startedAt,
    port,
  });
  const viewer = openViewer({ home, store, clock, log, metrics, memory, token, status, port });
  const backend = makeBackend({
    ...{
      home,
      environment,
      loaded,
      build,
      token,
      store,
      bus,
      log,
      clock,
      ingest,
      metrics,
      preparation,
      deliveries,
      memory,
      importing,
      viewer: viewer.api,
      status,
      port,
    },
    stop: (reason) => void setTimeout(() => void stop(reason), 20),
  });

  // An old daemon's replies speak to hooks that are gone.
  for (const file of readdirSync(home.reply)) rmSync(join(home.reply, file), { force: true });

  // What waits is older than what will come: it goes into the queue before the bell is hung up.
  const swept = intake.sweep();
  tcp = await listenTcp(makeApp(backend, "tcp"), preferredPorts(config.port, store.meta.get("port")));
  if (config.port !== 0) store.meta.set("port", String(port()));
  const { version, build: buildId, builtAt } = build;
  const about: DaemonFile = { pid: process.pid, version, build: buildId, builtAt, port: port(), startedAt };
  writeFileSync(home.daemonFile, `${JSON.stringify(about)}\n`, { mode: 0o600 });
  await bell.start();
  // Last: whoever reaches us here may rely on all the rest.
  const socketTransport = home.socket.startsWith("\\\\") ? "pipe" : "socket";
  const socket = await listenSocket(makeApp(backend, socketTransport), home.socket);
  intake.start();
  deliveries.start();
  distilling.start();
  waking.start();
  watch.start();
  viewer.start();
  log.info("daemon ready", { port: port(), ms: clock() - startedAt });
  let stopping: Promise<void> | undefined;
  ready.resolve();

  async function stopWhenReady(reason: string): Promise<void> {
    await ready.promise;
    await stop(reason);
  }

  /** Stops what brings work in, finishes what was taken, lets go of the lock last. */
  function stop(reason: string, error?: unknown): Promise<void> {
    stopping ??= (async () => {
      if (error === undefined) log.info("daemon stopping", { reason });
      else log.error("daemon stopping", { reason, error });
      intake.stop();
      waking.stop();
      watch.stop();
      deliveries.stop();
      await bell.stop();
      await Promise.all([socket.close(), tcp?.close()]);
      await swept;
      distilling.stop();
      await importing.stop();
      await viewer.stop();
      await Promise.all([preparation.close(), memoryWorker.close(), distilWorker.close()]);
      store.close();
      rmSync(home.daemonFile, { force: true });
      log.info("daemon stopped", { reason });
      log.close();
      lock?.release();
      ended.resolve();
    })();
    return stopping;
  }

  return { ended: ended.promise, stop };
}

/** The configured port; where it was taken before, the one we took then; else any. */
function preferredPorts(configured: number, remembered: string | undefined): number[] {
  if (configured === 0) return [0];
  const earlier = Number(remembered ?? 0);
  return [configured, ...(earlier > 0 && earlier !== configured ? [earlier] : []), 0];
}
