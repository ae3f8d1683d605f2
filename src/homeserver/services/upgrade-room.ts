import { MatrixError, refuse } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { isObject } from "../json.ts";
import { readLevel, readPowerLevels, readSovereigns } from "../rules/power.ts";
import type { RoomVersion } from "../rules/room-version.ts";
import type { Services } from "../services.ts";
import { beginRoom } from "./begin-room.ts";
import type { Room } from "./rooms.ts";

export interface UpgradeTarget {
  version: RoomVersion;
  /** Who made the new room besides the one who upgrades, where the version knows of more than one. */
  additionalCreators: string[] | undefined;
}

const carried = [
  "m.room.server_acl",
  "m.room.encryption",
  "m.room.name",
  "m.room.avatar",
  "m.room.topic",
  "m.room.guest_access",
  "m.room.history_visibility",
  "m.room.join_rules",
  "m.space.parent",
  "m.space.child",
];

/** A new room in another version takes the old one's place: its state, aliases and bans; the old one points to it and falls silent. */
export function upgradeRoom(services: Services, old: Room, userId: string, target: UpgradeTarget): Room {
  const { rooms, timeline, aliases, membership } = services;
  const { version, additionalCreators } = target;
  const levels = readPowerLevels(old.view);
  if (levels.of(userId) < levels.toSend("m.room.tombstone", true))
    refuse("M_FORBIDDEN", "Upgrading a room needs a higher power level.");
  const put = (into: Room, type: string, content: JsonObject, stateKey = ""): string =>
    timeline.append(into, { type, stateKey, sender: userId, content }).id;
  const bury = (successor: string): string =>
    put(old, "m.room.tombstone", { body: "This room has been replaced", replacement_room: successor });
  const { additional_creators: _more, ...creation } = old.view("m.room.create")?.content ?? {};
  if (version.sovereignCreators && additionalCreators) creation.additional_creators = additionalCreators;
  const room = beginRoom(services, {
    creator: userId,
    version,
    isPublic: old.isPublic,
    makeContent: (roomId) => ({
      ...creation,
      predecessor: { room_id: old.id, ...(roomId === undefined ? {} : { event_id: bury(roomId) }) },
    }),
  });
  if (version.hashedRoomIds) bury(room.id);
  membership.join(room, userId);
  const wanted = carryLevels(old, room);
  // Until everything is carried over, the upgrader must be able to do it.
  const highest = Math.max(100, ...listLevels(wanted));
  put(room, "m.room.power_levels", { users: version.sovereignCreators ? {} : { [userId]: highest } });
  for (const type of carried)
    for (const event of old.stateEvents(type))
      if (Object.keys(event.content).length > 0) put(room, type, event.content, event.stateKey);
  for (const event of old.stateEvents("m.room.member"))
    if (event.content.membership === "ban" && event.stateKey !== undefined)
      membership.ban(room, userId, event.stateKey, event.content.reason as string | undefined);
  const canonical = old.view("m.room.canonical_alias")?.content;
  aliases.move(old.id, room.id);
  if (canonical && Object.keys(canonical).length > 0) {
    put(room, "m.room.canonical_alias", canonical);
    putIfAllowed(old, "m.room.canonical_alias", {});
  }
  put(room, "m.room.power_levels", wanted);
  if (old.isPublic) rooms.setPublic(old, false);
  silence(old);
  return room;

  /** Nobody but those with the power to speaks on in the old room. */
  function silence(room: Room): void {
    const current = room.view("m.room.power_levels")?.content ?? {};
    const level = Math.max(50, (readLevel(current.users_default) ?? 0) + 1);
    putIfAllowed(room, "m.room.power_levels", { ...current, events_default: level, invite: level });
  }

  /** Whoever may upgrade may not be allowed everything else in the old room: its tombstone says enough. */
  function putIfAllowed(into: Room, type: string, content: JsonObject): void {
    try {
      put(into, type, content);
    } catch (error) {
      if (!(error instanceof MatrixError)) throw error;
    }
  }
}

/** The old room's levels, as the new one can say them: who is above all levels there has the usual highest here, or none. */
function carryLevels(old: Room, room: Room): JsonObject {
  const levels = old.view("m.room.power_levels")?.content ?? {};
  const users: JsonObject = { ...(isObject(levels.users) ? levels.users : {}) };
  for (const userId of readSovereigns(old.view)) users[userId] = 100;
  for (const userId of readSovereigns(room.view)) delete users[userId];
  return { ...levels, users };
}

/** Every level that is named anywhere in power levels. */
function listLevels(content: JsonObject): number[] {
  return Object.values(content).flatMap((value) =>
    isObject(value) ? listLevels(value) : (readLevel(value) ?? []),
  );
}
