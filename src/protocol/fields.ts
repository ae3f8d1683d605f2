import * as z from "zod";

/** Fields that several endpoints share. */

/** Epoch milliseconds. */
export const time = z.number();

/** `?limit=`: a larger number is lowered to `max`. */
export function limit(fallback: number, max: number) {
  return count
    .default(fallback)
    .transform((value) => Math.min(value, max))
    .describe(`at most ${max}`);
}

/** A positive whole number in a query. */
export const count = z.coerce.number<number | string>().int().positive();

/** A time in a query. */
export const queryTime = z.coerce.number<number | string>().describe("epoch milliseconds");

/** `?name=1` */
export const zeroOrOne = z.enum(["0", "1"]).default("0");

/** The coding agent of a session. */
export const host = z
  .string()
  .max(30)
  .describe("only of sessions in this host, by its name in `rookery install --help`");

export const project = z.string().max(8192).describe("name or folder of a project");

/** The host process that acts for an agent; without it, the caller is identified by its connection. */
export const hostPid = z
  .number()
  .int()
  .positive()
  .describe("process id of the calling session; without it the caller is identified by its connection");
