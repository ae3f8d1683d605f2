import type { JsonObject } from "../json.ts";
import { readJoinRule } from "./auth-rules.ts";
import { isWorldReadable } from "./history-visibility.ts";
import { listAllowedRooms } from "./restricted-join.ts";
import type { StateView } from "./event.ts";

interface DescribedRoom {
  readonly id: string;
  readonly view: StateView;
  readonly joined: ReadonlySet<string>;
}

/** A room as listed in the directory. */
export function describeRoom(room: DescribedRoom): JsonObject {
  const { view } = room;
  const read = (type: string, field: string): unknown => {
    const value = view(type)?.content[field];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const shown: JsonObject = {
    room_id: room.id,
    num_joined_members: room.joined.size,
    world_readable: isWorldReadable(view),
    guest_can_join: read("m.room.guest_access", "guest_access") === "can_join",
    join_rule: readJoinRule(view),
  };
  const optional: JsonObject = {
    name: read("m.room.name", "name"),
    topic: read("m.room.topic", "topic"),
    avatar_url: read("m.room.avatar", "url"),
    canonical_alias: read("m.room.canonical_alias", "alias"),
    room_type: read("m.room.create", "type"),
  };
  for (const [key, value] of Object.entries(optional)) if (value !== undefined) shown[key] = value;
  return shown;
}

/** A room as shown in space hierarchies and summaries: with the fields that a client needs to join. */
export function summariseRoom(room: DescribedRoom): JsonObject {
  const { view } = room;
  const shown: JsonObject = {
    ...describeRoom(room),
    room_version: view("m.room.create")?.content.room_version ?? "1",
  };
  const algorithm = view("m.room.encryption")?.content.algorithm;
  if (typeof algorithm === "string") shown.encryption = algorithm;
  const opening = listAllowedRooms(view);
  if (opening.length > 0) shown.allowed_room_ids = opening;
  return shown;
}
