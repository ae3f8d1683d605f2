import { randomBytes } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import type { JsonObject } from "../json.ts";
import type { RoomVersion } from "../rules/room-version.ts";
import type { Room, Rooms } from "./rooms.ts";
import { makeRoomId, type Timeline } from "./timeline.ts";

interface StartRoomDeps {
  rooms: Rooms;
  timeline: Timeline;
  serverName: string;
  clock: Clock;
}

interface RoomStart {
  creator: string;
  version: RoomVersion;
  isPublic: boolean;
  /** Makes the content of the create event. The room id is undefined if it is derived from that event. */
  makeContent: (roomId: string | undefined) => JsonObject;
}

/** Creates a room with its create event. */
export function startRoom({ rooms, timeline, serverName, clock }: StartRoomDeps, start: RoomStart): Room {
  const { creator, version, isPublic, makeContent } = start;
  const given = version.hashedRoomIds ? undefined : `!${randomBytes(13).toString("base64url")}:${serverName}`;
  const { creator: _creator, ...content } = makeContent(given);
  content.room_version = version.id;
  if (!version.revised) content.creator = creator;
  const draft = { type: "m.room.create", stateKey: "", sender: creator, content };
  let sentAt = clock();
  let id = given ?? makeRoomId(version, draft, sentAt);
  // Two equal create events with the same timestamp would give the same room id.
  while (rooms.find(id)) id = makeRoomId(version, draft, ++sentAt);
  const room = rooms.create(id, version, sentAt, isPublic);
  timeline.append(room, draft, { sentAt });
  return room;
}
