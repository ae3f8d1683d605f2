import type { Log } from "../shared/log.ts";

/** Runs work now and then. What it throws is logged: a full disk is met here, too, and must not end the daemon. */
export function repeat(everyMs: number, work: () => void, log: Log): { stop(): void } {
  const timer = setInterval(() => attempt(work, log), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}

export function attempt(work: () => void, log: Log): void {
  try {
    work();
  } catch (error) {
    log.error("background work failed", { error });
  }
}
