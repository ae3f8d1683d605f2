import { backoffMs } from "../shared/backoff.ts";
import { type Clock, monotonicClock } from "../shared/clock.ts";

/** Circuit breaker: pauses calls to a provider that keeps failing or asked for a pause. */
interface Breaker {
  /** How long calls stay blocked; 0 if they are allowed now. */
  blockedMs(): number;
  recordSuccess(): void;
  recordFailure(): void;
  /** Blocks calls for at least this long. */
  pause(ms: number): void;
}

const failuresBeforeOpen = 3;
const backoff = { firstMs: 5 * 60_000, maxMs: 3_600_000 };

export function makeBreaker(clock: Clock = monotonicClock): Breaker {
  let failures = 0;
  let until = Number.NEGATIVE_INFINITY;
  const pause = (ms: number): void => {
    until = Math.max(until, clock() + Math.min(ms, backoff.maxMs));
  };
  return {
    blockedMs: () => Math.max(0, until - clock()),
    recordSuccess() {
      failures = 0;
    },
    // After each pause, one call is let through; if it fails, the next pause is longer.
    recordFailure() {
      failures++;
      if (failures >= failuresBeforeOpen) pause(backoffMs(failures - failuresBeforeOpen + 1, backoff));
    },
    pause,
  };
}
