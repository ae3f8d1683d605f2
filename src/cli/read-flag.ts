import { resolve } from "node:path";
import { AppError } from "../shared/errors.ts";
import { nearest } from "../shared/nearest.ts";
import type { CommandInput } from "./command.ts";

type Flag = CommandInput["flags"][string];

/** A flag's text; undefined where it was not given. */
export function readText(given: Flag): string | undefined {
  return typeof given === "string" ? given : undefined;
}

/** A project by its name, or by a folder: what looks like a path is one, seen from here. */
export function readProject(cwd: string, given: Flag): string | undefined {
  const text = readText(given);
  return text !== undefined && /^\.{0,2}(?:\/|$)/.test(text) ? resolve(cwd, text) : text;
}

/** How many; `fallback` where the flag was not given. */
export function readCount(flag: string, given: Flag, fallback: number): number {
  const count = given === undefined ? fallback : Number(given);
  if (Number.isInteger(count) && count > 0) return count;
  throw new AppError("invalid_argument", `${flag} takes a positive whole number, not ${given}.`);
}

/** One of a few words. */
export function readChoice(flag: string, given: Flag, choices: readonly string[]): string | undefined {
  if (given === undefined || choices.some((choice) => choice === given)) return readText(given);
  const guess = nearest(String(given), choices);
  const said = guess ? `Did you mean ${guess}?` : `It takes ${choices.join(", ")}.`;
  throw new AppError("invalid_argument", `${flag} takes no ${given}. ${said}`);
}

const dayMs = 86_400_000;

/** The beginning of a day as people write it, by their own clock: `2026-10-01`, `today`, `yesterday`, `7d` for days ago. */
export function readDay(flag: string, given: Flag, nowMs = Date.now()): number | undefined {
  const text = readText(given);
  if (text === undefined) return undefined;
  const ago = text === "today" ? "0" : text === "yesterday" ? "1" : /^(\d{1,5})d$/.exec(text)?.[1];
  const day =
    ago === undefined ? new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text) : new Date(nowMs);
  if (Number.isNaN(day.getTime()))
    throw new AppError(
      "invalid_argument",
      `${flag} takes a day, such as 2026-10-01, yesterday or 7d, not ${text}.`,
    );
  if (ago === undefined) return day.getTime();
  day.setHours(0, 0, 0, 0);
  return day.setDate(day.getDate() - Number(ago));
}

/** The last moment of that day. */
export function readDayEnd(flag: string, given: Flag, nowMs = Date.now()): number | undefined {
  const start = readDay(flag, given, nowMs);
  return start === undefined ? undefined : start + dayMs - 1;
}
