/** What is known of a delivery when an injection point comes up. */
export interface Attempt {
  state: "queued" | "injected" | "confirmed";
  attempts: number;
  injectedAt: number | null;
  sessionId: string | null;
}

export interface InjectedSession {
  /** Is the session it was last injected into still running? */
  isLive: boolean;
  /** When its transcript last grew; undefined if there is none to look into. */
  transcriptGrewAt: number | undefined;
}

/** The host writes the transcript a little late: silence is not a loss before this. */
const settleMs = 10_000;
const blindAttempts = 3;

/**
 * Is this to be injected now? Queued: yes. Injected but not confirmed: again, once the place where its trace
 * should be has been written past it, or that session is over. With no transcript to look into we cannot
 * know, so we stop after a few tries rather than repeat for ever.
 */
export function isDue(attempt: Attempt, last: InjectedSession | undefined, nowMs: number): boolean {
  if (attempt.state === "queued") return true;
  if (attempt.state === "confirmed" || attempt.injectedAt === null) return false;
  if (last === undefined || last.transcriptGrewAt === undefined)
    return attempt.attempts < blindAttempts && nowMs - attempt.injectedAt > settleMs;
  if (!last.isLive) return true;
  return nowMs - attempt.injectedAt > settleMs && last.transcriptGrewAt > attempt.injectedAt + 2_000;
}
