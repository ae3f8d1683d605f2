import { parseJson } from "../shared/json.ts";

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Keys sorted by code point, no white space: two servers that mean the same event write the same bytes. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted(compareCodePoints)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}

/** UTF-16 order, which `<` gives, differs from code points only where surrogates meet the last of the basic plane. */
function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  if (!/[\ud800-\uffff]/.test(a + b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Max nesting of a body and of an event: everything that recurses over them stays far from the end of the stack. */
export const maxJsonDepth = 100;

/** Why a value cannot stand in an event, or undefined. `isStrict`: no floats, integers within ±(2^53 − 1). */
export function findJsonFault(value: unknown, isStrict: boolean, depth = 0): string | undefined {
  if (typeof value === "number")
    return isStrict && !Number.isSafeInteger(value)
      ? `${value} is not an integer between -(2^53 - 1) and 2^53 - 1`
      : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (depth >= maxJsonDepth) return `it is nested more than ${maxJsonDepth} levels deep`;
  for (const key in value) {
    const fault = findJsonFault((value as JsonObject)[key], isStrict, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

/** A fraction or an exponent: `1.0` and `1e3` are floats to other servers even where their value is whole. */
const maybeFloat = /\d[.eE]/;

/** Parses a body. Numbers written as floats stay floats: `1.0` becomes NaN, which no rule about integers lets pass. */
export function parseBody(text: string): unknown {
  const limit = { maxDepth: maxJsonDepth };
  return parseJson(text, maybeFloat.test(text) ? { ...limit, reviver: markFloats } : limit);
}

/** For members whose names clients choose: names such as `constructor` are not inherited. */
export function makeDictionary<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

/** A member of the object itself, never an inherited one. */
export function ownMember(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function markFloats(_key: string, value: unknown, ...rest: unknown[]): unknown {
  if (typeof value !== "number" || !Number.isInteger(value)) return value;
  const source = (rest[0] as { source?: string } | undefined)?.source;
  return source !== undefined && /[.eE]/.test(source) ? Number.NaN : value;
}
