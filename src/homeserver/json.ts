import { parseJson } from "../shared/json.ts";

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Keys sorted by code point, no whitespace: equal events serialise to equal bytes on every server. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .toSorted(compareCodePoints)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}

/** `<` compares UTF-16 units. That differs from code point order only between surrogates and U+E000 to U+FFFF. */
function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  if (!/[\ud800-\uffff]/.test(a + b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Maximum nesting of bodies and events, so that recursive functions cannot overflow the stack. */
export const maxJsonDepth = 100;

/** Why a value is not allowed in an event, or undefined. `isStrict`: no floats, integers within ±(2^53 − 1). */
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

/** A fraction or an exponent: other servers treat `1.0` and `1e3` as floats even though their values are integers. */
const maybeFloat = /\d[.eE]/;

/** Parses a body. A number written as a float, such as `1.0`, becomes NaN so that every integer check rejects it. */
export function parseBody(text: string): unknown {
  const limit = { maxDepth: maxJsonDepth };
  return parseJson(text, maybeFloat.test(text) ? { ...limit, reviver: markFloats } : limit);
}

/** An object without a prototype, for keys chosen by clients: it inherits no `constructor` or `__proto__`. */
export function makeDictionary<T>(): Record<string, T> {
  return Object.create(null) as Record<string, T>;
}

function markFloats(_key: string, value: unknown, ...rest: unknown[]): unknown {
  if (typeof value !== "number" || !Number.isInteger(value)) return value;
  const source = (rest[0] as { source?: string } | undefined)?.source;
  return source !== undefined && /[.eE]/.test(source) ? Number.NaN : value;
}
