export interface ClockFormat {
  date(ms: number): string;
  time(ms: number): string;
}

/** `07-29`; with the year if it is not the latest one. */
export function makeDay(clock: ClockFormat, latestAt: number): (at: number) => string {
  const thisYear = clock.date(latestAt).slice(0, 5);
  return (at) => {
    const date = clock.date(at);
    return date.startsWith(thisYear) ? date.slice(5) : date;
  };
}
