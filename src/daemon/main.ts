import type { Environment } from "../config/environment.ts";
import type { Home } from "../config/home.ts";
import { build } from "../shared/build.ts";
import { openConfirmedSettings } from "./api/confirmed-settings.ts";
import { openApi } from "./api/open-api.ts";
import { openAsking } from "./ask/open-asking.ts";
import { openCapture } from "./capture/open-capture.ts";
import { openCare } from "./care/open-care.ts";
import { openDeliveries } from "./delivery/deliveries.ts";
import { makeNotices } from "./delivery/notices.ts";
import { openWaker } from "./delivery/waker.ts";
import { openHub } from "./hub/open-hub.ts";
import { openSessionWatch } from "./identity/session-watch.ts";
import { openImporter } from "./import/importer.ts";
import { openLeases } from "./mail/leases.ts";
import { openMailChannels, openMailParts } from "./mail/open-mail.ts";
import { openMatrix } from "./matrix/open-matrix.ts";
import { openMemory } from "./memory/open-memory.ts";
import { openAddresses } from "./runtime/addresses.ts";
import { openBus } from "./runtime/bus.ts";
import { openOneTimeCodes } from "./viewer/one-time-codes.ts";
import type { Component } from "./runtime/component.ts";
import { makeHookCounter } from "./runtime/hook-counter.ts";
import { openMetrics } from "./runtime/metrics.ts";
import { type Daemon, runDaemon, type RunContext } from "./runtime/run-daemon.ts";
import { loadOrCreateToken } from "./runtime/token.ts";
import { openUpgrader } from "./runtime/upgrader.ts";

/** Starts the daemon. Throws `daemon_running` if another one runs in this home. */
export function startDaemon(home: Home, environment: Environment): Promise<Daemon> {
  return runDaemon(home, environment, compose);
}

/** All components, in the order in which they start. */
function compose(basis: RunContext): Component[] {
  const { home, environment, store, log, clock, given, startedAt, shutdown, wasUnclean, homeWatch } = basis;
  if (store.damagedCopy) log.error("the database was damaged and set aside", { path: store.damagedCopy });
  if (store.appliedMigrations.length > 0)
    log.info("database migrated", { migrations: store.appliedMigrations });
  const confirmed = openConfirmedSettings(store.meta, given.config);
  const loaded = confirmed.enforce(given);
  const { config } = loaded;
  const bus = openBus(log, startedAt);
  const metrics = openMetrics();
  const hookCounter = makeHookCounter();
  const token = loadOrCreateToken(home.token);
  const addresses = openAddresses(home.daemonFile, {
    pid: process.pid,
    ...build,
    startedAt,
    socket: home.socket,
  });
  const { count: waitingHooks } = hookCounter;
  const context = { home, environment, config, store, bus, log, clock, waitingHooks };

  const deliveries = openDeliveries(context);
  const waker = openWaker(context);
  const leases = openLeases(store, bus, clock);
  const memory = openMemory(context);
  const matrix = openMatrix(context, addresses.setMatrixPort);
  const channels = openMailChannels(store, matrix.connection);
  const asking = openAsking({ ...context, loaded, deliveries, channels });
  const mail = openMailParts({
    ...context,
    deliveries,
    leases,
    arbiter: {
      grant: (lease, holder) => hub.leases.grant(lease, holder),
      refresh: (projectId) => hub.leases.refresh(projectId),
      release: (lease) => hub.leases.release(lease),
    },
    taskArbiter: { change: (task, by) => hub.tasks.change(task, by) },
    asking,
    matrix: matrix.connection,
    eraser: matrix.eraser,
  });
  const codes = openOneTimeCodes(clock);
  // The start line of the first session signs in the browser that it is opened in.
  const makeEntry = (): string => `${addresses.url()}#code=${codes.issue("browser", 600_000).code}`;
  const notices = makeNotices(store, bus, makeEntry);
  const capture = openCapture({
    ...context,
    // Mail comes first; the memory index uses the space that is left.
    contributors: [notices, leases.contribute, deliveries.contribute, memory.recall.contribute],
    recall: memory.recall,
    asking: asking.hooks,
    runCommand: asking.person.runCommand,
    monitors: waker,
    metrics,
    hookCounter,
  });
  const importer = openImporter(context);
  const hub = openHub({
    ...context,
    forgetNotes: (ids) => care.forgetNotes(ids),
    requirePerson: asking.person.requirePerson,
  });
  const care = openCare({
    ...context,
    matrix: matrix.eraser,
    sweep: capture.intake.sweep,
    wasUnclean,
    reportHub: hub.reportForgotten,
  });
  const parts = { deliveries, waker, memory, matrix, asking, mail, capture, importer, care, hub };
  const rest = { loaded, confirmed, token, codes, startedAt, addresses, shutdown, metrics };
  const { viewer, listeners } = openApi({ ...context, ...rest, ...parts });

  return [
    // Removed last: `rookery stop` returns when this file is gone, and the database must be closed by then.
    { name: "addresses", stop: addresses.remove },
    { name: "store", stop: store.close },
    { name: "preparation", stop: capture.preparation.close },
    { name: "importing", stop: importer.stop },
    { name: "viewer", start: viewer.start, stop: viewer.stop },
    { name: "memory", start: memory.start, stop: memory.stop },
    { name: "care", start: care.start, stop: care.stop },
    { name: "deliveries", start: deliveries.start, stop: deliveries.stop },
    { name: "questions", start: asking.start, stop: asking.stop },
    // Spooled events are older than new ones, so they are queued before the bell is up.
    { name: "first sweep", ...capture.firstSweep },
    { name: "listeners", start: listeners.start, stop: listeners.stop },
    { name: "intake", start: capture.intake.start, stop: capture.intake.stop },
    { name: "waking", start: waker.start, stop: waker.stop },
    { name: "session watch", ...openSessionWatch(store, bus, log) },
    { name: "upgrading", ...openUpgrader(context) },
    { name: "home watch", ...homeWatch },
    // Started after the listeners, so that no session waits for the homeserver.
    { name: "matrix", start: () => matrix.connection?.start(), stop: () => matrix.connection?.stop() },
    { name: "person", start: asking.person.start, stop: asking.person.stop },
    { name: "mail", start: mail.start, stop: mail.stop },
    { name: "hub", start: hub.start, stop: hub.stop },
    {
      name: "log",
      start: () => log.info("daemon ready", { port: addresses.port(), ms: clock() - startedAt }),
    },
  ];
}
