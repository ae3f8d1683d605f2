/**
 * Invisible characters and those that reorder text: untrusted text must not hide content. Line breaks, tabs and the
 * joiners that emoji and some scripts need are allowed.
 */
const invisible = /(?![\n\t\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** Replaces invisible characters by their code points. */
export function revealInvisible(text: string): string {
  return text.replace(
    invisible,
    (letter) => `‹U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`,
  );
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export function formatAge(at: number, now: number): string {
  const ms = now - at;
  if (ms < 5_000) return "now";
  if (ms < minute) return `${Math.floor(ms / 1000)} s ago`;
  if (ms < hour) return `${Math.floor(ms / minute)} min ago`;
  if (ms < day) return `${Math.floor(ms / hour)} h ago`;
  if (ms < 7 * day) return `${Math.floor(ms / day)} d ago`;
  return dates.format(at);
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < minute) return `${Math.round(ms / 1000)} s`;
  const minutes = Math.round(ms / minute);
  if (minutes < 60) return `${minutes} min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (ms < 2 * day) return rest > 0 ? `${hours} h ${rest} min` : `${hours} h`;
  return `${Math.round(ms / day)} days`;
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const days = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const weekdays = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const seconds = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const clocks = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

/** "Today", "Yesterday" or the date. */
export function formatDate(at: number, now: number): string {
  const name = dates.format(at);
  if (name === dates.format(now)) return "Today";
  return name === dates.format(now - day) ? "Yesterday" : name;
}

export function formatDateTime(at: number): string {
  return moments.format(at);
}

export function formatTime(at: number): string {
  return clocks.format(at);
}

export function formatTimeWithSeconds(at: number): string {
  return seconds.format(at);
}

export function formatWeekday(at: number): string {
  return weekdays.format(at);
}

export function formatDay(at: number): string {
  return days.format(at);
}

const numbers = new Intl.NumberFormat();

export function formatNumber(value: number): string {
  return numbers.format(value);
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** For a text on one line, where headings, bold marks and table rules have no meaning. */
export function stripMarkup(text: string): string {
  return text.replace(/\*\*|(?<!\S)#{1,6} |\|(?:\s*:?-+:?\s*\|)+/g, "");
}
