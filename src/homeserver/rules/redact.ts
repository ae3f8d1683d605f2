import { isObject, type JsonObject } from "../json.ts";
import type { RoomVersion } from "./room-version.ts";

const alwaysKept = [
  "event_id",
  "type",
  "room_id",
  "sender",
  "state_key",
  "content",
  "hashes",
  "signatures",
  "depth",
  "prev_events",
  "auth_events",
  "origin_server_ts",
];
const keptBefore11 = ["origin", "prev_state", "membership"];

/** The event reduced to the fields that redaction keeps in this room version. */
export function redactEvent(pdu: JsonObject, version: RoomVersion): JsonObject {
  const kept = pick(pdu, version.revised ? alwaysKept : [...alwaysKept, ...keptBefore11]);
  kept.content = redactContent(pdu.type as string, pdu.content as JsonObject, version);
  return kept;
}

export function redactContent(type: string, content: JsonObject, version: RoomVersion): JsonObject {
  switch (type) {
    case "m.room.create":
      return version.revised ? { ...content } : pick(content, ["creator"]);
    case "m.room.member":
      return redactMember(content, version);
    case "m.room.join_rules":
      return pick(content, version.restricted ? ["join_rule", "allow"] : ["join_rule"]);
    case "m.room.power_levels":
      return pick(content, [
        "ban",
        "events",
        "events_default",
        "kick",
        "redact",
        "state_default",
        "users",
        "users_default",
        ...(version.revised ? ["invite"] : []),
      ]);
    case "m.room.history_visibility":
      return pick(content, ["history_visibility"]);
    case "m.room.aliases":
      return version.hasAliasRule ? pick(content, ["aliases"]) : {};
    case "m.room.redaction":
      return version.revised ? pick(content, ["redacts"]) : {};
    default:
      return {};
  }
}

function redactMember(content: JsonObject, version: RoomVersion): JsonObject {
  const kept = pick(content, [
    "membership",
    ...(version.keepsJoinAuthoriser ? ["join_authorised_via_users_server"] : []),
  ]);
  const invite = content.third_party_invite;
  if (version.revised && isObject(invite) && invite.signed !== undefined)
    kept.third_party_invite = { signed: invite.signed };
  return kept;
}

function pick(from: JsonObject, keys: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const key of keys) if (from[key] !== undefined) picked[key] = from[key];
  return picked;
}
