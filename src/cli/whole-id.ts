import { AppError } from "../shared/errors.ts";

/** The id that ends like this. One that is in no list is left to the daemon to judge. */
export function wholeId(end: string, known: readonly { id: string }[]): string {
  const found = known.filter(({ id }) => id === end || (end.length >= 6 && id.endsWith(end)));
  if (found.length > 1) throw new AppError("invalid_argument", `${end} fits several: use more of the id.`);
  return found[0]?.id ?? end;
}
