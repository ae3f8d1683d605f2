/**
 * Characters that change how others are shown, or cannot be seen: text from anywhere must not hide what it says. Line
 * breaks and tabs are fine, and so are the joiners that emoji and some scripts need.
 */
const unseen = /(?![\n\t\r\u200c\u200d])[\p{Cc}\p{Cf}]/gu;

/** The same text with those made visible. */
export function showUnseen(text: string): string {
  return text.replace(
    unseen,
    (letter) => `‹U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}›`,
  );
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export function sayAge(at: number, now: number): string {
  const ms = now - at;
  if (ms < 5_000) return "now";
  if (ms < minute) return `${Math.floor(ms / 1000)} s ago`;
  if (ms < hour) return `${Math.floor(ms / minute)} min ago`;
  if (ms < day) return `${Math.floor(ms / hour)} h ago`;
  if (ms < 7 * day) return `${Math.floor(ms / day)} d ago`;
  return dates.format(at);
}

export function sayDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < minute) return `${Math.round(ms / 1000)} s`;
  if (ms < hour) return `${Math.round(ms / minute)} min`;
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h ${Math.round((ms % hour) / minute)} min`;
  return `${Math.round(ms / day)} days`;
}

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const days = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const seconds = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const clocks = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

/** The day of a moment, as one speaks of it on another. */
export function sayDate(at: number, now: number): string {
  const name = dates.format(at);
  if (name === dates.format(now)) return "Today";
  return name === dates.format(now - day) ? "Yesterday" : name;
}

export function sayMoment(at: number): string {
  return moments.format(at);
}

export function sayClock(at: number): string {
  return clocks.format(at);
}

export function saySecond(at: number): string {
  return seconds.format(at);
}

export function sayDay(at: number): string {
  return days.format(at);
}

export function sayBytes(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

const numbers = new Intl.NumberFormat();

export function sayNumber(value: number): string {
  return numbers.format(value);
}

export function sayCount(count: number, one: string, many = `${one}s`): string {
  return `${sayNumber(count)} ${count === 1 ? one : many}`;
}
