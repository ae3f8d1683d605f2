import { type Clock, monotonicClock } from "../../shared/clock.ts";

/** A question's times by the system clock, as stored. */
interface StoredTimes {
  id: string;
  createdAt: number;
  expiresAt: number;
}

/** Returns the ids of the questions that have expired. Called regularly with all open questions. */
type ListExpired = (open: readonly StoredTimes[]) => ReadonlySet<string>;

/**
 * Measures the time of each question with a monotonic clock: a change of the system time neither ends all questions at
 * once nor keeps them open for days. A question from before a restart gets its remaining time, at most its full time.
 */
export function makeExpiryCheck(clock: Clock, steady: Clock = monotonicClock): ListExpired {
  let deadlines = new Map<string, number>();

  function deadlineOf({ id, createdAt, expiresAt }: StoredTimes): number {
    const remainingMs = Math.min(expiresAt - clock(), expiresAt - createdAt);
    return deadlines.get(id) ?? steady() + Math.max(0, remainingMs);
  }

  return (open) => {
    deadlines = new Map(open.map((question) => [question.id, deadlineOf(question)]));
    return new Set(open.filter(({ id }) => (deadlines.get(id) ?? 0) <= steady()).map(({ id }) => id));
  };
}
