import { createHash, randomBytes } from "node:crypto";
import { remainingMs } from "../../shared/backoff.ts";
import type { Clock } from "../../shared/clock.ts";

/** Codes that work once and expire soon: a code is part of a URL, which others may see later. */
interface OneTimeCodes {
  /** `isForPerson`: a person asked for it, so its tab may decide. */
  issue(isForPerson: boolean): { code: string; expiresAt: number };
  /** The purpose of the code, once, unless it has expired. */
  redeem(code: string): { isForPerson: boolean } | undefined;
}

const lifeMs = 60_000;
/** More tabs than a person opens within a minute. */
const maxOpen = 32;

export function openOneTimeCodes(clock: Clock): OneTimeCodes {
  /** Keyed by hash, so that the time of a lookup reveals nothing about existing codes. */
  const open = new Map<string, { expiresAt: number; isForPerson: boolean }>();

  function dropOld(): void {
    for (const [key, { expiresAt }] of open)
      if (remainingMs(expiresAt, clock(), lifeMs) === 0) open.delete(key);
    for (const key of open.keys()) if (open.size >= maxOpen) open.delete(key);
  }

  return {
    issue(isForPerson) {
      dropOld();
      const code = randomBytes(24).toString("base64url");
      const expiresAt = clock() + lifeMs;
      open.set(hash(code), { expiresAt, isForPerson });
      return { code, expiresAt };
    },
    redeem(code) {
      const key = hash(code);
      const issued = open.get(key);
      open.delete(key);
      return issued && remainingMs(issued.expiresAt, clock(), lifeMs) > 0 ? issued : undefined;
    },
  };
}

function hash(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
