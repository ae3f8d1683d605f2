import { isObject, type JsonObject } from "../json.ts";

export interface RelatesTo {
  parent: string;
  type: string;
  key: string | undefined;
}

/** `m.relates_to` of an event, if it is complete. */
export function readRelation(content: JsonObject): RelatesTo | undefined {
  const relates = content["m.relates_to"];
  if (!isObject(relates)) return undefined;
  const { event_id: parent, rel_type: type, key } = relates;
  if (typeof parent !== "string" || typeof type !== "string") return undefined;
  return { parent, type, key: typeof key === "string" ? key : undefined };
}
