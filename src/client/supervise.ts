import { existsSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "../shared/errors.ts";
import type { Log } from "../shared/log.ts";
import { makeRestartPolicy } from "../shared/restart-policy.ts";
import { type Address, makeHeaders } from "./request.ts";
import { ensureDaemon, type StartOptions } from "./start.ts";

interface Supervisor {
  /** Resolves when a daemon answers; rejects when starting it has failed for now. */
  ready(): Promise<void>;
  stop(): void;
}

const stoppedPollMs = 1_000;

/**
 * Keeps a daemon running while a session lives: holds its event stream open and restarts the daemon when the
 * stream breaks. Several sessions may do so at once; the lock lets one win. Gives up after five failures in a row;
 * the next call tries again.
 */
export function superviseDaemon(options: StartOptions, log: Log): Supervisor {
  let stopped = false;
  const restarts = makeRestartPolicy();
  let closeStream = (): void => {};
  let starting = start();
  void watch();

  function start(): Promise<void> {
    const attempt = startUnlessStopped();
    attempt.catch(() => {}); // `ready` reports the error; unobserved, it must not crash the process.
    return attempt;
  }

  /** A daemon that the user stopped stays stopped until they, or their next session, start it. */
  async function startUnlessStopped(): Promise<void> {
    if (existsSync(options.home.stoppedByUser))
      throw new AppError("daemon_unreachable", "The daemon was stopped by hand.");
    await ensureDaemon(options);
  }

  async function watch(): Promise<void> {
    while (!stopped) {
      let aliveMs = 0;
      try {
        await starting;
        const since = performance.now();
        await keepStreamOpen(options.address, (end) => {
          closeStream = end;
        });
        aliveMs = performance.now() - since;
      } catch (error) {
        log.warn("daemon not reached", { error });
      }
      // Stopped by the user: not a failure. Wait until it is started again.
      while (!stopped && existsSync(options.home.stoppedByUser))
        await delay(stoppedPollMs, undefined, { ref: false });
      if (stopped) return;
      const pauseMs = restarts.nextPauseMs(aliveMs);
      if (pauseMs === undefined) return;
      await delay(pauseMs, undefined, { ref: false });
      if (!stopped) starting = start();
    }
  }

  return {
    async ready() {
      if (existsSync(options.home.stoppedByUser)) starting = start();
      if (restarts.hasGivenUp()) {
        restarts.reset();
        starting = start();
        void watch();
      }
      // The failure may be outdated: try again.
      await starting.catch(() => (starting = start()));
    },
    stop() {
      stopped = true;
      closeStream();
    },
  };
}

/** Resolves when the daemon closes the connection. */
function keepStreamOpen(address: Address, onCut: (end: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { socketPath: address.socket, path: "/api/events", headers: makeHeaders(address) },
      (response) => {
        response.resume();
        response.on("close", resolve);
      },
    );
    request.on("error", reject);
    request.end();
    onCut(() => request.destroy());
  });
}
