import { AppError } from "../shared/errors.ts";

/** Resolves a full id or an unambiguous suffix. An unknown id is returned as it is; the daemon rejects it. */
export function resolveId(suffix: string, known: readonly { id: string }[]): string {
  const found = known.filter(({ id }) => id === suffix || (suffix.length >= 6 && id.endsWith(suffix)));
  if (found.length > 1)
    throw new AppError("invalid_argument", `${suffix} matches several ids: use more characters.`);
  return found[0]?.id ?? suffix;
}
