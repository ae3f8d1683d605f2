import { workerData } from "node:worker_threads";
import { makeControl } from "../../homeserver/control.ts";
import { openHomeserver } from "../../homeserver/server.ts";
import { systemClock } from "../../shared/clock.ts";
import type { Log, LogFields, LogLevel } from "../../shared/log.ts";
import type { HomeserverJobs, HomeserverThreadData, LogEntry } from "../matrix/homeserver.ts";
import { serveJobs } from "../runtime/job-worker.ts";

/** Runs the homeserver in this thread. The daemon's calls wait in the port's queue until it is open. */
export async function serveHomeserver(migrations: URL): Promise<void> {
  const { logPort, ...options } = workerData as HomeserverThreadData;
  const post = (entry: LogEntry): void => logPort.postMessage(entry);
  const homeserver = await openHomeserver({
    ...options,
    migrations,
    clock: systemClock,
    log: makeRemoteLog(post),
  });
  serveJobs<HomeserverJobs>({
    ...makeControl(homeserver),
    port: () => homeserver.port,
    ping() {},
    stop: homeserver.close,
  });
}

function makeRemoteLog(post: (entry: LogEntry) => void): Log {
  const write =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void =>
      post({ level, message, fields });
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    // The daemon owns the log file and scrubs it.
    scrub: () => 0,
    close() {},
  };
}
