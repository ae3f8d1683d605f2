import { isRecord, tryParseJson } from "../shared/json.ts";

/** An object with fields of unknown types. */
export type Fields = Record<string, unknown>;

export function asFields(value: unknown): Fields | undefined {
  return isRecord(value) ? value : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A line of JSON with an object; undefined if it is anything else. */
export function parseFields(json: string): Fields | undefined {
  return asFields(tryParseJson(json));
}

/** The objects in a list; other values are skipped. */
export function asFieldsList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.flatMap((item): Fields[] => wrap(asFields(item))) : [];
}

function wrap(item: Fields | undefined): Fields[] {
  return item ? [item] : [];
}

/** The text of a message's content: a string, or the text blocks of a list. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return asFieldsList(content)
    .flatMap((block) => {
      if (block["type"] === "image") return "[image]";
      return block["type"] === "text" ? (asText(block["text"]) ?? []) : [];
    })
    .join("\n\n");
}
