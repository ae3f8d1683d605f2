import { refuse } from "./errors.ts";
import { isObject, type JsonObject } from "./json.ts";

/** Typed access to the fields of a request body. Rejects missing required fields and wrong types. */
export function optionalString(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "string") refuse("M_BAD_JSON", `${name} must be a string.`);
  return value;
}

export function requiredString(body: JsonObject, name: string): string {
  return optionalString(body, name) ?? refuse("M_MISSING_PARAM", `${name} is missing.`);
}

export function optionalBoolean(body: JsonObject, name: string): boolean | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") refuse("M_BAD_JSON", `${name} must be true or false.`);
  return value;
}

export function optionalInteger(body: JsonObject, name: string): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value)) refuse("M_BAD_JSON", `${name} must be an integer.`);
  return value as number;
}

export function optionalObject(body: JsonObject, name: string): JsonObject | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) refuse("M_BAD_JSON", `${name} must be an object.`);
  return value;
}

export function requiredObject(body: JsonObject, name: string): JsonObject {
  return optionalObject(body, name) ?? refuse("M_MISSING_PARAM", `${name} is missing.`);
}

export function optionalArray(body: JsonObject, name: string): unknown[] | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) refuse("M_BAD_JSON", `${name} must be an array.`);
  return value;
}

export function optionalStrings(body: JsonObject, name: string): string[] | undefined {
  const value = optionalArray(body, name);
  if (!value?.every((item) => typeof item === "string"))
    return value === undefined ? undefined : refuse("M_BAD_JSON", `${name} must be an array of strings.`);
  return value;
}

/** The entries of an object whose values must all be objects. */
export function objectEntries(body: JsonObject, name: string): [string, JsonObject][] {
  return Object.entries(requiredObject(body, name)).map(([key, value]) => {
    if (!isObject(value)) refuse("M_BAD_JSON", `${name}.${key} must be an object.`);
    return [key, value];
  });
}
