import { type ClockFormat, makeClockFormat } from "../../domain/memory/context.ts";

/**
 * Formats a time as a day in the user's time zone, such as `2026-11-15`. The formatter is created on first use, because
 * it is slow to build and often not needed.
 */
export function makeDayFormat(): (ms: number) => string {
  let format: ClockFormat | undefined;
  return (ms) => {
    format ??= makeClockFormat(Intl.DateTimeFormat().resolvedOptions().timeZone);
    return format.date(ms);
  };
}
