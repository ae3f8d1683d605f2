import { AppError } from "../shared/errors.ts";

/** The beginning of a day as people write it. */
export function parseDay(flag: string, text: unknown): number {
  const at = typeof text === "string" ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new AppError("invalid_argument", `--${flag} ${text} is not a date.`);
  return at;
}
