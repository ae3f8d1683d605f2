import { AppError, type ErrorCode } from "../../shared/errors.ts";

interface IdTable<Row> {
  byId(id: string): Row | undefined;
  /** The rows whose id ends with this text, two or more if it is ambiguous. */
  byShortId(suffix: string): Row[];
}

/** Finds a row by its id or an unambiguous suffix of at least `minLength` characters; throws if there is none. */
export function findById<Row>(
  table: IdTable<Row>,
  id: string,
  { noun, missing, minLength }: { noun: string; missing: ErrorCode; minLength: number },
): Row {
  const exact = table.byId(id);
  if (exact) return exact;
  const [first, second] = id.length >= minLength ? table.byShortId(id) : [];
  if (!first) throw new AppError(missing, `There is no ${noun} ${id}.`);
  if (second)
    throw new AppError("invalid_argument", `${id} matches more than one ${noun}: use more of the id.`);
  return first;
}
