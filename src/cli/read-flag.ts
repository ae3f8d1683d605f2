import { resolve } from "node:path";
import { AppError } from "../shared/errors.ts";
import { findNearest } from "../shared/find-nearest.ts";
import type { CliContext, CommandInput } from "./command.ts";
import { dayMs } from "../shared/clock.ts";

type Flag = CommandInput["flags"][string];

/** The flag's value; undefined if it was not given. */
export function readText(given: Flag): string | undefined {
  return typeof given === "string" ? given : undefined;
}

/** The value of the environment variable that a flag names; keeps secrets off the command line. */
export function readVariable(
  { environment }: Pick<CliContext, "environment">,
  given: Flag,
): string | undefined {
  const name = readText(given);
  if (name === undefined) return undefined;
  const value = environment[name];
  if (!value) throw new AppError("invalid_argument", `The variable ${name} is not set.`);
  return value;
}

/** A project's name or folder; a relative path is resolved against `cwd`. */
export function readProject(cwd: string, given: Flag): string | undefined {
  const text = readText(given);
  return text !== undefined && /^\.{0,2}(?:\/|$)/.test(text) ? resolve(cwd, text) : text;
}

/** A positive integer; `fallback` if the flag was not given. */
export function readCount(flag: string, given: Flag, fallback: number): number {
  const count = given === undefined ? fallback : Number(given);
  if (Number.isInteger(count) && count > 0) return count;
  throw new AppError("invalid_argument", `${flag} takes a positive whole number, not ${given}.`);
}

/** One of the given choices. */
export function readChoice<Choice extends string>(
  flag: string,
  given: Flag,
  choices: readonly Choice[],
): Choice | undefined {
  const choice = choices.find((each) => each === given);
  if (given === undefined || choice !== undefined) return choice;
  const guess = findNearest(String(given), choices);
  const suggestion = guess ? `Did you mean ${guess}?` : `Expected one of: ${choices.join(", ")}.`;
  throw new AppError("invalid_argument", `Unknown value ${given} for ${flag}. ${suggestion}`);
}

/** The start of a day in local time: `2026-10-01`, `today`, `yesterday`, or `7d` for seven days ago. */
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

/** The last millisecond of that day. */
export function readDayEnd(flag: string, given: Flag, nowMs = Date.now()): number | undefined {
  const start = readDay(flag, given, nowMs);
  return start === undefined ? undefined : start + dayMs - 1;
}
