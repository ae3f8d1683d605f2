import { type ClockFormat, makeClockFormat } from "../../domain/memory/context.ts";

/** The user's day, `2026-11-15`. Created on first use: the formatter is slow to build, and most days need none. */
export function makeDayFormat(): (ms: number) => string {
  let format: ClockFormat | undefined;
  return (ms) => {
    format ??= makeClockFormat(Intl.DateTimeFormat().resolvedOptions().timeZone);
    return format.date(ms);
  };
}
