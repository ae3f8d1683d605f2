import { backoffMs } from "../shared/backoff.ts";
import type { Clock } from "../shared/clock.ts";

/** Leaves a provider alone that keeps failing, and one that said how long it wants to be left alone. */
export interface Breaker {
  /** Until when nothing is asked; 0 if it may be asked now. */
  blockedUntil(): number;
  succeeded(): void;
  failed(): void;
  /** Not before this many milliseconds have passed. */
  pause(ms: number): void;
}

const failuresBeforeOpen = 3;
const backoff = { firstMs: 5 * 60_000, maxMs: 3_600_000 };

export function makeBreaker(clock: Clock): Breaker {
  let failures = 0;
  let until = 0;
  const pause = (ms: number): void => {
    until = Math.max(until, clock() + Math.min(ms, backoff.maxMs));
  };
  return {
    blockedUntil: () => (until > clock() ? until : 0),
    succeeded() {
      failures = 0;
    },
    // After each pause one call is let through: if that fails, the next pause is longer.
    failed() {
      failures++;
      if (failures >= failuresBeforeOpen) pause(backoffMs(failures - failuresBeforeOpen + 1, backoff));
    },
    pause,
  };
}
