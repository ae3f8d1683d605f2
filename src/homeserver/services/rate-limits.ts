import type { Clock } from "../../shared/clock.ts";
import { limitExceeded, type MatrixError } from "../errors.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";

/** Token buckets by key: `burst` at once, then `perSecond`. Throws `M_LIMIT_EXCEEDED` with the time to wait. */
export interface RateLimit {
  take(key: string): void;
  /** Like `take`, but returns the error instead of throwing it. */
  tryTake(key: string): MatrixError | undefined;
  /** Returns a token after a success, for limits that count only failures. Taking it first also limits concurrent attempts. */
  refund(key: string): void;
}

const maxKeys = 10_000;

export function openRateLimit(clock: Clock, perSecond: number, burst: number): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();

  function refill(key: string): { left: number; at: number } {
    const now = clock();
    const bucket = buckets.get(key) ?? { left: burst, at: now };
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (!buckets.has(key)) {
      buckets.set(key, bucket);
      // The oldest bucket is most likely full again.
      dropOldest(buckets, maxKeys);
    }
    return bucket;
  }

  function tryTake(key: string): MatrixError | undefined {
    if (perSecond === 0) return undefined;
    const bucket = refill(key);
    if (bucket.left < 1) return limitExceeded(((1 - bucket.left) / perSecond) * 1000);
    bucket.left--;
    return undefined;
  }

  return {
    take(key) {
      const limited = tryTake(key);
      if (limited) throw limited;
    },
    tryTake,
    refund(key) {
      const bucket = buckets.get(key);
      if (bucket) bucket.left++;
    },
  };
}
