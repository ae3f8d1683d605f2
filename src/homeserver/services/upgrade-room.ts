import { MatrixError, refuse } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { isObject } from "../json.ts";
import { readLevel, readPowerLevels, readPrivilegedCreators } from "../rules/power.ts";
import type { RoomVersion } from "../rules/room-version.ts";
import type { Services } from "../services.ts";
import { startRoom } from "./start-room.ts";
import type { Room } from "./rooms.ts";

interface UpgradeTarget {
  version: RoomVersion;
  /** Additional creators of the new room, if its version supports them. */
  additionalCreators: string[] | undefined;
}

const copiedTypes = [
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

/** Replaces a room with one of another version: copies state, aliases and bans, and closes the old room with a tombstone. */
export function upgradeRoom(services: Services, old: Room, userId: string, target: UpgradeTarget): Room {
  const { rooms, timeline, aliases, membership } = services;
  const { version, additionalCreators } = target;
  const levels = readPowerLevels(old.view);
  if (levels.of(userId) < levels.toSend("m.room.tombstone", true))
    refuse("M_FORBIDDEN", "Upgrading a room needs a higher power level.");
  const put = (into: Room, type: string, content: JsonObject, stateKey = ""): string =>
    timeline.append(into, { type, stateKey, sender: userId, content }).id;
  const addTombstone = (successor: string): string =>
    put(old, "m.room.tombstone", { body: "This room has been replaced", replacement_room: successor });
  const { additional_creators: _more, ...creation } = old.view("m.room.create")?.content ?? {};
  if (version.privilegedCreators && additionalCreators) creation.additional_creators = additionalCreators;
  const room = startRoom(services, {
    creator: userId,
    version,
    isPublic: old.isPublic,
    makeContent: (roomId) => ({
      ...creation,
      predecessor: { room_id: old.id, ...(roomId === undefined ? {} : { event_id: addTombstone(roomId) }) },
    }),
  });
  if (version.hashedRoomIds) addTombstone(room.id);
  membership.join(room, userId);
  const wanted = copyLevels(old, room);
  // The upgrader needs the highest level until everything is copied.
  const highest = Math.max(100, ...listLevels(wanted));
  put(room, "m.room.power_levels", { users: version.privilegedCreators ? {} : { [userId]: highest } });
  for (const type of copiedTypes)
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
  restrictPosting(old);
  return room;

  /** Only moderators can post in the old room. */
  function restrictPosting(room: Room): void {
    const current = room.view("m.room.power_levels")?.content ?? {};
    const level = Math.max(50, (readLevel(current.users_default) ?? 0) + 1);
    putIfAllowed(room, "m.room.power_levels", { ...current, events_default: level, invite: level });
  }

  /** The upgrader may lack the power for this in the old room; the tombstone is sufficient. */
  function putIfAllowed(into: Room, type: string, content: JsonObject): void {
    try {
      put(into, type, content);
    } catch (error) {
      if (!(error instanceof MatrixError)) throw error;
    }
  }
}

/** The old room's levels for the new one: privileged creators of the old room get 100, those of the new one get none. */
function copyLevels(old: Room, room: Room): JsonObject {
  const levels = old.view("m.room.power_levels")?.content ?? {};
  const users: JsonObject = { ...(isObject(levels.users) ? levels.users : {}) };
  for (const userId of readPrivilegedCreators(old.view)) users[userId] = 100;
  for (const userId of readPrivilegedCreators(room.view)) delete users[userId];
  return { ...levels, users };
}

/** All levels in the content, including nested ones. */
function listLevels(content: JsonObject): number[] {
  return Object.values(content).flatMap((value) =>
    isObject(value) ? listLevels(value) : (readLevel(value) ?? []),
  );
}
