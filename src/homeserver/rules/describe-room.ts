import type { JsonObject } from "../json.ts";
import { readJoinRule } from "./auth-rules.ts";
import type { StateView } from "./event.ts";

interface DescribedRoom {
  readonly id: string;
  readonly view: StateView;
  readonly joined: ReadonlySet<string>;
}

/** A room as directories and space listings show it. */
export function describeRoom(room: DescribedRoom): JsonObject {
  const { view } = room;
  const read = (type: string, field: string): unknown => {
    const value = view(type)?.content[field];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const shown: JsonObject = {
    room_id: room.id,
    num_joined_members: room.joined.size,
    world_readable: read("m.room.history_visibility", "history_visibility") === "world_readable",
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
