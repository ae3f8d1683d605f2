import { hash, randomBytes } from "node:crypto";
import { remainingMs } from "../../shared/backoff.ts";
import type { Clock } from "../../shared/clock.ts";

type IsForPerson = boolean | "browser";

/** Codes that work once and expire soon: a code is part of a URL, which others may see later. */
export interface OneTimeCodes {
  /** `isForPerson`: a person asked for it, so its tab may decide; "browser": if the browser is not an agent's. */
  issue(isForPerson: IsForPerson, lifeMs?: number): { code: string; expiresAt: number };
  /** The purpose of the code, once, unless it has expired. */
  redeem(code: string): { isForPerson: IsForPerson } | undefined;
}

const minuteMs = 60_000;
/** Maximum lifetime of a code. */
const maxLifeMs = 10 * minuteMs;
/** More tabs than a person opens within a minute. */
const maxOpen = 32;

export function openOneTimeCodes(clock: Clock): OneTimeCodes {
  /** Keyed by hash, so that the time of a lookup reveals nothing about existing codes. */
  const open = new Map<string, { expiresAt: number; isForPerson: IsForPerson; lifeMs: number }>();

  function dropOld(): void {
    for (const [key, { expiresAt, lifeMs }] of open)
      if (remainingMs(expiresAt, clock(), lifeMs) === 0) open.delete(key);
    for (const key of open.keys()) if (open.size >= maxOpen) open.delete(key);
  }

  return {
    issue(isForPerson, wantedMs = minuteMs) {
      const lifeMs = Math.min(wantedMs, maxLifeMs);
      dropOld();
      const code = randomBytes(24).toString("base64url");
      const expiresAt = clock() + lifeMs;
      open.set(hash("sha256", code), { expiresAt, isForPerson, lifeMs });
      return { code, expiresAt };
    },
    redeem(code) {
      const key = hash("sha256", code);
      const issued = open.get(key);
      open.delete(key);
      return issued && remainingMs(issued.expiresAt, clock(), issued.lifeMs) > 0 ? issued : undefined;
    },
  };
}
