import type { Log } from "../../shared/log.ts";

/**
 * Runs work at multiples of the interval, so that timers with related intervals wake a sleeping daemon once for all of
 * them. Errors are logged: a full disk must not end the daemon.
 */
export function repeat(everyMs: number, work: () => void, log: Log): { stop(): void } {
  let timer = setTimeout(run, msUntilNext(everyMs)).unref();
  function run(): void {
    timer = setTimeout(run, msUntilNext(everyMs)).unref();
    runLogged(work, log);
  }
  return { stop: () => clearTimeout(timer) };
}

/** Like `repeat`, for work that is often idle: pauses when the work returns false, until `rouse` is called. */
export function repeatWhile(everyMs: number, work: () => boolean, log: Log): { rouse(): void; stop(): void } {
  let repeated: { stop(): void } | undefined;
  let isOver = false;
  const pause = (): void => {
    repeated?.stop();
    repeated = undefined;
  };
  const workOrPause = (): void => {
    if (!work()) pause();
  };
  return {
    rouse() {
      if (!isOver) repeated ??= repeat(everyMs, workOrPause, log);
    },
    stop() {
      isOver = true;
      pause();
    },
  };
}

/** Time to the next multiple of the interval, even if a timer fires slightly early. */
function msUntilNext(everyMs: number): number {
  const nowMs = performance.now();
  return Math.round(Math.ceil((nowMs + everyMs / 2) / everyMs) * everyMs - nowMs);
}

export function runLogged(work: () => void, log: Log): void {
  try {
    work();
  } catch (error) {
    log.error("background work failed", { error });
  }
}
