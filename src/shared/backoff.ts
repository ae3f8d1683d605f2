/** Longer timers overflow and fire immediately. */
export const maxTimerMs = 2 ** 31 - 1;

/**
 * The time until a stored due time. A due time farther ahead than any pause was stored before the clock was set back,
 * so it is due now.
 */
export function remainingMs(dueAt: number, nowMs: number, maxPauseMs: number): number {
  const pauseMs = dueAt - nowMs;
  return pauseMs > maxPauseMs ? 0 : Math.max(0, pauseMs);
}

export interface Backoff {
  firstMs: number;
  maxMs: number;
}

interface BackoffOptions {
  /** Minimum pause that the other side requested. */
  retryAfterMs?: number;
  /** Jitter, 0 to 1: varies the pause by a quarter in both directions, so that clients do not retry all at once. */
  random?: number;
}

/** The pause after this many consecutive failures (1 or more): doubles up to the limit. */
export function backoffMs(
  failures: number,
  { firstMs, maxMs }: Backoff,
  { retryAfterMs = 0, random = 0.5 }: BackoffOptions = {},
): number {
  const doubled = Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return Math.min(maxTimerMs, Math.max(retryAfterMs, Math.round(doubled * (0.75 + random / 2))));
}
