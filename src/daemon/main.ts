import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../config/environment.ts";
import { type Home, prepareHome } from "../config/home.ts";
import { loadConfig } from "../config/load.ts";
import { makeApp } from "../http/app.ts";
import { isListening, type Listener, listenSocket, listenTcp } from "../http/listen.ts";
import { build } from "../shared/build.ts";
import { systemClock } from "../shared/clock.ts";
import { AppError } from "../shared/errors.ts";
import { openLogFile } from "../shared/log.ts";
import { openStore, suspectMark } from "../store/open-store.ts";
import { makeAgentViews } from "./agent-views.ts";
import { makeBackend } from "./backend.ts";
import { openAsking } from "./ask/open-asking.ts";
import { openBell } from "./bell.ts";
import { openBus } from "./bus.ts";
import { makeMatrixEraser } from "./care/matrix-eraser.ts";
import { openCare } from "./care/open-care.ts";
import { openConfirmedSettings } from "./confirmed-settings.ts";
import { writeDaemonFile } from "./daemon-file.ts";
import { openDeliveries } from "./deliveries.ts";
import { openHomeserver, openUnservedHomeserver } from "./open-homeserver.ts";
import { openImporting } from "./import/importing.ts";
import { openIngest } from "./ingest.ts";
import { openIntake } from "./intake.ts";
import { acquireLock } from "./lock.ts";
import { openJobWorker } from "./job-worker.ts";
import { openLeasing } from "./mail/leasing.ts";
import { openMatrixHome } from "./mail/matrix-home.ts";
import { openMailChannels, openMailParts } from "./mail/open-mail.ts";
import { makeSpeakers } from "./mail/speaker.ts";
import { openMemory } from "./memory/open-memory.ts";
import { openMetrics } from "./metrics.ts";
import { makeNotices } from "./notices.ts";
import { openPreparation } from "./preparation.ts";
import { openSettings } from "./settings.ts";
import { openSessionWatch } from "./session-watch.ts";
import { preferredPorts } from "./ports.ts";
import { repeat } from "./repeat.ts";
import { openSpool } from "./spool.ts";
import { makeStatusReporter } from "./status.ts";
import { loadOrCreateToken } from "./token.ts";
import { openUpgrading } from "./upgrading.ts";
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
/** A home that was deleted or replaced is noticed within this. */
const lookAtHomeMs = 5_000;

/** Composes and starts everything. Throws `daemon_running` if another daemon holds this home. */
export async function startDaemon(home: Home, environment: Environment): Promise<Daemon> {
  process.umask(0o077); // SQLite and the sockets make their files as this says.
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
  const token = loadOrCreateToken(home.token);
  const confirmed = openConfirmedSettings(store.meta, given.config);
  const loaded = confirmed.enforce(given);
  const { config } = loaded;

  let tcp: Listener | undefined;
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const port = (): number => tcp?.port ?? 0;
  const bus = openBus(log, startedAt);
  /** What nearly every part stands on. */
  const ground = { home, environment, config, store, bus, log, clock };
  const metrics = openMetrics();
  const spool = openSpool(home.spool, home.rejected);
  const preparation = openPreparation(
    { fieldLimit: config.capture.fieldBytes, exclude: config.capture.exclude },
    new URL("./prepare-worker.js", import.meta.url),
  );
  const wakeBoard = openWakeBoard(home.spool, home.reply, log);
  const deliveries = openDeliveries({ ...ground, characters: config.delivery.characters });
  const notices = makeNotices(store, bus, () => `http://127.0.0.1:${port()}/`);
  const waitingHooks = (): number => ingest.depth() + bell.ringing();
  const memory = openMemory({ ...ground, waitingHooks });
  const homeserver = openHomeserver({ ...ground, config: config.matrix, onListening: describeDaemon });
  const matrix = openMatrixHome({ ...ground, config: config.matrix, embedded: homeserver });
  const leasing = openLeasing(store, bus, clock);
  const ingest = openIngest({
    ...ground,
    // Mail first: the index makes do with the room that is left.
    contributors: [notices, leasing.contribute, deliveries.contribute, memory.recall.contribute],
    onCorrupt(error) {
      // The next start looks before it trusts; until then everything waits in the spool.
      log.error("the database is damaged", { error });
      writeFileSync(suspectMark(home.database), "");
      void stopWhenReady("damaged database");
    },
  });
  const { exclude } = config.capture;
  const importing = openImporting({
    ...ground,
    homeRoot: home.root,
    waitingHooks,
    worker: openJobWorker(new URL("./import-worker.js", import.meta.url), { exclude }, 5_000, 32),
  });
  const asking = openAsking({
    ...ground,
    loaded,
    deliveries,
    secret: token,
    channels: openMailChannels(store, matrix),
  });
  const settings = openSettings({ ...ground, loaded, confirmed, person: asking.person });
  const intake = openIntake({
    ...ground,
    spool,
    preparation,
    ingest,
    recall: memory.recall,
    asking: asking.hooks,
    metrics,
    breakerFile: home.breaker,
    spoolFullFile: home.spoolFull,
  });
  const care = openCare({
    ...ground,
    waitingHooks,
    worker: memory.openWorker(5_000),
    matrix: makeMatrixEraser({
      database: home.matrixDatabase,
      serverName: config.matrix.serverName,
      embedded: homeserver,
      openUnserved: () => openUnservedHomeserver({ home, config: config.matrix, log }),
    }),
    sweep: () => intake.sweep(),
  });
  const bell = openBell({
    intake,
    wakeBoard,
    asking: asking.hooks,
    metrics,
    log,
    replyFolder: home.reply,
    bellFile: home.bell,
  });
  const waking = openWaking({ ...ground, wakeBoard, enabled: config.delivery.wake });
  const watch = openSessionWatch(store, bus, log);
  const upgrading = openUpgrading({ ...ground, app: home.app, enabled: config.upgrade.automatic });
  const agents = makeAgentViews(store, clock);
  const speakers = makeSpeakers(store, asking.person.caller);
  const mail = openMailParts({
    ...ground,
    config: config.matrix,
    deliveries,
    agents,
    leasing,
    matrix,
    speakers,
  });
  const status = makeStatusReporter({
    ...ground,
    build,
    spool,
    ingest,
    metrics,
    wakeBoard,
    retention: care.retention,
    model: memory.model,
    asking: asking.hooks,
    startedAt,
    presence: asking.person.viewPresence,
    channels: asking.person.viewChannels,
    port,
    homeserver,
    unconfirmedSettings: settings.listUnconfirmed,
  });
  const viewer = openViewer({ ...ground, metrics, token, port, memory: memory.api, load: status.load });
  const backend = makeBackend({
    ...ground,
    settings,
    build,
    token,
    ingest,
    metrics,
    preparation,
    deliveries,
    agents,
    memory: memory.api,
    model: memory.model,
    mail: mail.api,
    speakers,
    importing,
    care: care.api,
    reach: asking.person.api,
    asking: asking.api,
    channels: asking.channels,
    viewer: viewer.api,
    status: status.report,
    port,
    stop: (reason) => void setTimeout(() => void stop(reason), 20),
  });

  // An old daemon's replies speak to hooks that are gone.
  for (const file of readdirSync(home.reply)) rmSync(join(home.reply, file), { force: true });

  asking.start();
  // What waits is older than what will come: it goes into the queue before the bell is hung up.
  const swept = intake.sweep();
  tcp = await listenTcp(makeApp(backend, "tcp"), preferredPorts(config.port, store.meta.get("port")));
  if (config.port !== 0) store.meta.set("port", String(port()));
  describeDaemon();
  await bell.start();
  // Last: whoever reaches us here may rely on all the rest.
  const socketTransport = home.socket.startsWith("\\\\") ? "pipe" : "socket";
  const socket = await listenSocket(makeApp(backend, socketTransport), home.socket);
  intake.start();
  deliveries.start();
  memory.start();
  waking.start();
  watch.start();
  upgrading.start();
  care.start();
  asking.person.start();
  viewer.start();
  const homeWatch = repeat(lookAtHomeMs, leaveIfHomeless, log);
  log.info("daemon ready", { port: port(), ms: clock() - startedAt });
  // Nobody's session waits for it.
  matrix?.start();
  mail.start();
  let stopping: Promise<void> | undefined;
  ready.resolve();

  function describeDaemon(matrixPort?: number): void {
    const ports = matrixPort === undefined ? { port: port() } : { port: port(), matrixPort };
    writeDaemonFile(home.daemonFile, { pid: process.pid, ...build, ...ports, startedAt });
  }

  /** Without a word to the files: what stands in that place now belongs to somebody else. */
  function leaveIfHomeless(): void {
    if (lock?.isInPlace()) return;
    homeWatch.stop();
    ended.resolve();
  }

  async function stopWhenReady(reason: string): Promise<void> {
    await ready.promise;
    await stop(reason);
  }

  /** Stops what brings work in, finishes what was taken, lets go of the lock last. */
  function stop(reason: string, error?: unknown): Promise<void> {
    stopping ??= (async () => {
      if (error === undefined) log.info("daemon stopping", { reason });
      else log.error("daemon stopping", { reason, error });
      homeWatch.stop();
      intake.stop();
      waking.stop();
      watch.stop();
      upgrading.stop();
      await Promise.all([mail.stop(), asking.stop()]);
      deliveries.stop();
      await bell.stop();
      await Promise.all([socket.close(), tcp?.close(), matrix?.stop()]);
      await swept;
      await care.stop();
      await memory.stop();
      await importing.stop();
      await viewer.stop();
      await preparation.close();
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
