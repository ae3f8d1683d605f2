import { randomBytes } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import type { JsonObject } from "../json.ts";
import type { RoomVersion } from "../rules/room-version.ts";
import type { Room, Rooms } from "./rooms.ts";
import { nameRoom, type Timeline } from "./timeline.ts";

interface BeginDeps {
  rooms: Rooms;
  timeline: Timeline;
  serverName: string;
  clock: Clock;
}

export interface RoomStart {
  creator: string;
  version: RoomVersion;
  isPublic: boolean;
  /** What its first event says; the room's id is known then only where it is not made from that event. */
  makeContent: (roomId: string | undefined) => JsonObject;
}

/** A room with its first event in it. */
export function beginRoom({ rooms, timeline, serverName, clock }: BeginDeps, start: RoomStart): Room {
  const { creator, version, isPublic, makeContent } = start;
  const given = version.hashedRoomIds ? undefined : `!${randomBytes(13).toString("base64url")}:${serverName}`;
  const { creator: _given, ...content } = makeContent(given);
  content.room_version = version.id;
  if (!version.revised) content.creator = creator;
  const draft = { type: "m.room.create", stateKey: "", sender: creator, content };
  let sentAt = clock();
  let id = given ?? nameRoom(version, draft, sentAt);
  // The same beginning at the same moment would be the same room.
  while (rooms.find(id)) id = nameRoom(version, draft, ++sentAt);
  const room = rooms.create(id, version, sentAt, isPublic);
  timeline.append(room, draft, { sentAt });
  return room;
}
