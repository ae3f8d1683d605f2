import { tooOften } from "../errors.ts";

/** Bytes of requests that are still being received, by user: many that never end must not fill the memory. */
export interface BodyBudget {
  /** `M_LIMIT_EXCEEDED` if the user, or all together, would hold too much. */
  take(userId: string, bytes: number): void;
  giveBack(userId: string, bytes: number): void;
  used(): number;
}

/** Room for one largest body, a key backup. */
const maxPerUser = 24_000_000;
const maxInAll = 96_000_000;
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
      if (used + bytes > maxInAll || (held.get(userId) ?? 0) + bytes > maxPerUser)
        throw tooOften(retryAfterMs);
      change(userId, bytes);
    },
    giveBack: (userId, bytes) => change(userId, -bytes),
    used: () => used,
  };
}
