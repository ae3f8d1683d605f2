import type * as z from "zod";

/** The texts of these fields in the endpoint table, for options of the same name. */
export function describeFields<Name extends string>(
  shape: Record<Name, z.ZodType>,
  names: readonly Name[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, shape[name].description ?? ""]));
}
