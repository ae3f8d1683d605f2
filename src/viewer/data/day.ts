import { now } from "./clock.ts";

/** A day of the browser's time zone. */
export interface Day {
  /** `2026-11-18` */
  name: string;
  from: number;
  to: number;
}

/** The day with this name; the current one if it is not a valid name. */
export function parseDay(name: string | undefined, nowMs: number): Day {
  const [year = 0, month = 0, date = 0] = /^\d{4}-\d\d-\d\d$/.test(name ?? "")
    ? (name ?? "").split("-").map(Number)
    : [];
  const wanted = new Date(year, month - 1, date);
  const isValid = year > 0 && wanted.getMonth() === month - 1 && wanted.getTime() <= nowMs;
  return dayOf(isValid ? wanted.getTime() : nowMs);
}

/** The day that contains a time. Days with a clock change have 23 or 25 hours. */
export function dayOf(at: number): Day {
  const start = new Date(at);
  start.setHours(0, 0, 0, 0);
  const end = new Date(start);
  end.setDate(end.getDate() + 1);
  const two = (value: number): string => String(value).padStart(2, "0");
  const name = `${start.getFullYear()}-${two(start.getMonth() + 1)}-${two(start.getDate())}`;
  return { name, from: start.getTime(), to: end.getTime() };
}

/** The day before or after. */
export function shiftDay({ from }: Day, by: number): Day {
  const noon = new Date(from);
  noon.setDate(noon.getDate() + by);
  noon.setHours(12);
  return dayOf(noon.getTime());
}

/** The query of a day's address; today has none, so that an open page moves on at midnight. */
export function toQuery(day: Day): { day?: string } {
  return day.to > now.value ? {} : { day: day.name };
}

const hourMs = 3_600_000;
const minHours = 3;

/** The hours of the day that contain these times, at least three, and marks for their axis. */
export function chooseHours(
  day: Day,
  times: readonly number[],
): { from: number; to: number; marks: number[] } {
  const toHour = (at: number, round: (value: number) => number): number =>
    day.from + round((at - day.from) / hourMs) * hourMs;
  const first = times.length > 0 ? Math.min(...times) : day.from;
  const last = times.length > 0 ? Math.max(...times) : day.to;
  const wanted = Math.max(day.from, toHour(first, Math.floor));
  const to = Math.min(day.to, Math.max(toHour(last, Math.ceil), wanted + minHours * hourMs));
  const from = Math.max(day.from, Math.min(wanted, to - minHours * hourMs));
  const hours = Math.round((to - from) / hourMs);
  const step = hours <= 6 ? 1 : hours <= 12 ? 2 : hours <= 18 ? 3 : 4;
  const marks: number[] = [];
  for (let at = from; at < to; at += step * hourMs) marks.push(at);
  return { from, to, marks };
}
