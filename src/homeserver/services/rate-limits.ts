import type { Clock } from "../../shared/clock.ts";
import { tooOften } from "../errors.ts";

/** Token buckets by key: `burst` at once, then `perSecond`. Throws `M_LIMIT_EXCEEDED` with the time to wait. */
export interface RateLimit {
  take(key: string): void;
  /** For what counts only when it fails: taken before it is tried, so that many tries at once count too. */
  giveBack(key: string): void;
}

const mostKeys = 10_000;

export function openRateLimit(clock: Clock, perSecond: number, burst: number): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();

  function refill(key: string): { left: number; at: number } {
    const now = clock();
    const bucket = buckets.get(key) ?? { left: burst, at: now };
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    if (!buckets.has(key)) {
      // Whoever has not been heard of for longest has a full bucket anyway.
      if (buckets.size >= mostKeys) buckets.delete(buckets.keys().next().value ?? "");
      buckets.set(key, bucket);
    }
    return bucket;
  }

  return {
    take(key) {
      if (perSecond === 0) return;
      const bucket = refill(key);
      if (bucket.left < 1) throw tooOften(((1 - bucket.left) / perSecond) * 1000);
      bucket.left--;
    },
    giveBack(key) {
      const bucket = buckets.get(key);
      if (bucket) bucket.left++;
    },
  };
}
