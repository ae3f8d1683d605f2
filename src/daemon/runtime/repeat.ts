import type { Log } from "../../shared/log.ts";

/**
 * Runs work now and then, in step with everything whose rhythm is a multiple or a part of it: a daemon that sleeps is woken once
 * for all of them. What it throws is logged: a full disk is met here, too, and must not end the daemon.
 */
export function repeat(everyMs: number, work: () => void, log: Log): { stop(): void } {
  let timer = setTimeout(run, untilNext(everyMs)).unref();
  function run(): void {
    timer = setTimeout(run, untilNext(everyMs)).unref();
    attempt(work, log);
  }
  return { stop: () => clearTimeout(timer) };
}

/** As `repeat`, for what mostly has nothing to look after: rests as soon as the work returns false, until it is roused. */
export function repeatWhile(everyMs: number, work: () => boolean, log: Log): { rouse(): void; stop(): void } {
  let rhythm: { stop(): void } | undefined;
  let isOver = false;
  const rest = (): void => {
    rhythm?.stop();
    rhythm = undefined;
  };
  const look = (): void => {
    if (!work()) rest();
  };
  return {
    rouse() {
      if (!isOver) rhythm ??= repeat(everyMs, look, log);
    },
    stop() {
      isOver = true;
      rest();
    },
  };
}

/** To a multiple of the rhythm, and not to the one that a timer was a moment early for. */
function untilNext(everyMs: number): number {
  const nowMs = performance.now();
  return Math.round(Math.ceil((nowMs + everyMs / 2) / everyMs) * everyMs - nowMs);
}

export function attempt(work: () => void, log: Log): void {
  try {
    work();
  } catch (error) {
    log.error("background work failed", { error });
  }
}
