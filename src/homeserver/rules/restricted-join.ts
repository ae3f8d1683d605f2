import { isObject } from "../json.ts";
import { readJoinRule } from "./auth-rules.ts";
import type { StateView } from "./event.ts";

/** The rooms whose members may join this one without being invited. */
export function listAllowedRooms(state: StateView): string[] {
  const rule = readJoinRule(state);
  if (rule !== "restricted" && rule !== "knock_restricted") return [];
  const allow = state("m.room.join_rules")?.content.allow;
  return (Array.isArray(allow) ? allow : [])
    .filter(isObject)
    .filter(({ type }) => type === "m.room_membership")
    .map(({ room_id: roomId }) => roomId)
    .filter((roomId) => typeof roomId === "string");
}
