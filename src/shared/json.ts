interface ParseJsonOptions {
  /** Maximum nesting of objects and arrays; deeper text throws `JsonDepthError`. If omitted, there is no limit. */
  maxDepth?: number;
  reviver?: (this: unknown, key: string, value: unknown, ...rest: unknown[]) => unknown;
}

/** The text is JSON, but nested deeper than allowed. */
export class JsonDepthError extends Error {
  constructor(maxDepth: number) {
    super(`JSON is nested more than ${maxDepth} levels deep.`);
    this.name = "JsonDepthError";
  }
}

/**
 * All JSON input is parsed here. `JSON.parse` turns `"__proto__"` into an ordinary member, which a later copy by
 * assignment turns into the object's prototype; so these members are dropped here. `constructor` and `prototype` are
 * kept: they only matter to code that looks names up in inherited members, which must use `Object.hasOwn`, a Map or a
 * null prototype.
 */
export function parseJson(text: string, { maxDepth, reviver }: ParseJsonOptions = {}): unknown {
  const value = parse(text, maxDepth, reviver);
  if (maxDepth !== undefined && hasMoreBrackets(text, maxDepth) && isDeeper(value, maxDepth))
    throw new JsonDepthError(maxDepth);
  if (mayNamePrototype(text)) dropPrototypeNames(value);
  return value;
}

/** Undefined if the text is not JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function parse(text: string, maxDepth: number | undefined, reviver: ParseJsonOptions["reviver"]): unknown {
  if (!reviver) return JSON.parse(text);
  try {
    return JSON.parse(text, reviver);
  } catch (error) {
    // A reviver is called recursively: deep text exhausts the stack before the depth can be checked.
    if (error instanceof RangeError && maxDepth !== undefined) throw new JsonDepthError(maxDepth);
    throw error;
  }
}

/** A cheap scan, so that nearly all texts skip the walk. Escapes matter only for the letters of the name: _ o p r t. */
function mayNamePrototype(text: string): boolean {
  return text.includes("__proto__") || (text.includes("\\u00") && /\\u00(?:5f|6f|70|72|74)/i.test(text));
}

/** A cheap upper bound of the depth: few texts have more brackets than the allowed number of levels. */
function hasMoreBrackets(text: string, limit: number): boolean {
  let count = 0;
  for (const bracket of ["{", "["])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++count > limit) return true;
  return false;
}

/** Recursive, which is safe: it stops at `levels`. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const name in value) if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true;
  return false;
}

/** Not recursive: the depth may be unlimited. */
function dropPrototypeNames(root: unknown): void {
  const pending = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
    for (const member of Object.values(value)) pending.push(member);
  }
}

/** Whether a value is an object and not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one. */
export function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** An own property, never an inherited one: the name comes from outside and may be `constructor`. */
export function getOwn<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
