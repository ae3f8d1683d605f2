/** The days that charts show. */
const dayCount = 30;

/** The local date as YYYY-MM-DD, as the daemon names days. */
export function formatIsoDay(at: number): string {
  return isoDays.format(at);
}

const isoDays = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit" });

/** The last 30 days up to today, oldest first, each with its row if it has one. */
export function fillDays<Row extends { day: string }>(
  rows: readonly Row[],
  now: number,
): { at: number; row: Row | undefined }[] {
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const noon = new Date(now).setHours(12, 0, 0, 0);
  return Array.from({ length: dayCount }, (_, index) => {
    const date = new Date(noon);
    // By date, not by hours: a day may have 23 or 25.
    date.setDate(date.getDate() - (dayCount - 1 - index));
    return { at: date.getTime(), row: byDay.get(formatIsoDay(date.getTime())) };
  });
}
