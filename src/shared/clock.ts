/** Milliseconds. Passed in, so that rules can be tested without waiting. */
export type Clock = () => number;

/** Epoch milliseconds: for times that are stored, shown or compared with those of other programs. */
export const systemClock: Clock = () => Date.now();

/** For waits, rate limits and backoff within this process: changes of the system time do not affect it. */
export const monotonicClock: Clock = () => performance.now();

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/**
 * Times as the machine's time zone shows them: `2026-11-15` and `09:30`. Made without `Intl`, which loads 8 MB of locale
 * data into the daemon.
 */
export const localTime = {
  date(ms: number): string {
    const at = new Date(ms);
    return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`;
  },
  time(ms: number): string {
    const at = new Date(ms);
    return `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
  },
};

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** Differences between clocks that are not worth noticing. */
const skewMs = 60_000;

/**
 * The time since a stored moment. A moment in the future was stored before the clock was set back: it counts as long
 * past, because otherwise everything that waits for it would stall until the clock gets there again.
 */
export function ageMs(at: number, nowMs: number): number {
  return at - nowMs > skewMs ? Number.POSITIVE_INFINITY : Math.max(0, nowMs - at);
}
