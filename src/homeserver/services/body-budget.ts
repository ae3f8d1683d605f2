import { limitExceeded } from "../errors.ts";

/** Limits the memory for request bodies that are still being received, per user and in total. */
export interface BodyBudget {
  /** `M_LIMIT_EXCEEDED` if the user's share or the total would be exceeded. */
  take(userId: string, bytes: number): void;
  release(userId: string, bytes: number): void;
  used(): number;
}

/** Enough for the largest body, a key backup. */
const maxPerUser = 24_000_000;
const maxTotal = 96_000_000;
const retryAfterMs = 5_000;

export function openBodyBudget(): BodyBudget {
  const held = new Map<string, number>();
  let used = 0;

  function change(userId: string, bytes: number): void {
    used += bytes;
    const left = (held.get(userId) ?? 0) + bytes;
    if (left === 0) held.delete(userId);
    else held.set(userId, left);
  }

  return {
    take(userId, bytes) {
      if (used + bytes > maxTotal || (held.get(userId) ?? 0) + bytes > maxPerUser)
        throw limitExceeded(retryAfterMs);
      change(userId, bytes);
    },
    release: (userId, bytes) => change(userId, -bytes),
    used: () => used,
  };
}
