import { limitExceeded } from "../errors.ts";

/** Limits the memory for requests that are still being received, or responses that are not sent yet, per user and in total. */
export interface BodyBudget {
  /** `M_LIMIT_EXCEEDED` if the user's share or the total would be exceeded. */
  take(userId: string, bytes: number): void;
  release(userId: string, bytes: number): void;
  used(): number;
}

/** Enough for the largest body, a key backup. */
export const requestBytes = { perUser: 24_000_000, total: 96_000_000 };
/** Enough for a large initial sync on two devices. A client that does not read keeps its response in memory. */
export const responseBytes = { perUser: 96_000_000, total: 384_000_000 };
const retryAfterMs = 5_000;

export function openBodyBudget({ perUser, total }: { perUser: number; total: number }): BodyBudget {
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
      if (used + bytes > total || (held.get(userId) ?? 0) + bytes > perUser)
        throw limitExceeded(retryAfterMs);
      change(userId, bytes);
    },
    release: (userId, bytes) => change(userId, -bytes),
    used: () => used,
  };
}
