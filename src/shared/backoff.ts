/** Longer timers overflow and fire at once. */
export const maxTimerMs = 2 ** 31 - 1;

export interface Backoff {
  firstMs: number;
  maxMs: number;
}

export interface BackoffOptions {
  /** How long the other side asked us to wait: never less than this. */
  askedMs?: number;
  /** From 0 to 1: spreads the pause by a quarter either way, so that many do not come back at once. */
  random?: number;
}

/** The pause after this many failures in a row, from 1 on: doubles up to the limit. */
export function backoffMs(
  failures: number,
  { firstMs, maxMs }: Backoff,
  { askedMs = 0, random = 0.5 }: BackoffOptions = {},
): number {
  const doubled = Math.min(maxMs, firstMs * 2 ** (failures - 1));
  return Math.min(maxTimerMs, Math.max(askedMs, Math.round(doubled * (0.75 + random / 2))));
}
