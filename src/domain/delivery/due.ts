import { ageMs } from "../../shared/clock.ts";

/** The state of a delivery at an injection point. */
interface Attempt {
  state: "queued" | "injected" | "confirmed";
  attempts: number;
  injectedAt: number | null;
  sessionId: string | null;
}

export interface InjectedSession {
  /** Whether the session it was last injected into is still running. */
  isLive: boolean;
  /** When its transcript last grew; undefined if there is no transcript. */
  transcriptGrewAt: number | undefined;
}

/** The host writes the transcript with a delay: until then a missing confirmation does not mean a loss. */
const settleMs = 10_000;
const blindAttempts = 3;

/**
 * Whether to inject the delivery now. Queued: yes. Injected but not confirmed: again, once the transcript has grown
 * past the point where the delivery should be, or the session has ended. Without a transcript there is no
 * confirmation, so we stop after a few attempts.
 */
export function isDue(attempt: Attempt, last: InjectedSession | undefined, nowMs: number): boolean {
  if (attempt.state === "queued") return true;
  if (attempt.state === "confirmed" || attempt.injectedAt === null) return false;
  const age = ageMs(attempt.injectedAt, nowMs);
  if (last === undefined || last.transcriptGrewAt === undefined)
    return attempt.attempts < blindAttempts && age > settleMs;
  if (!last.isLive) return true;
  // The transcript's time cannot be compared with one from before the clock was set back.
  return (
    age > settleMs && (last.transcriptGrewAt > attempt.injectedAt + 2_000 || age === Number.POSITIVE_INFINITY)
  );
}
