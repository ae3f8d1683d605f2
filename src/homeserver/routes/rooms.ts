import { MatrixError, refuse } from "../errors.ts";
import { optionalStrings, requiredString } from "../fields.ts";
import { requireJoinedRoom, requireParam } from "../reading.ts";
import { route } from "../route.ts";
import { findRoomVersion } from "../rules/room-version.ts";
import { upgradeRoom } from "../services/upgrade-room.ts";

export const roomRoutes = [
  route(
    "POST /_matrix/client/v3/createRoom",
    {
      errors: [
        ...(["M_BAD_JSON", "M_INVALID_PARAM", "M_ROOM_IN_USE", "M_UNSUPPORTED_ROOM_VERSION"] as const),
        "M_INVALID_ROOM_STATE",
      ],
    },
    ({ body, session }, { roomCreation, db }) => {
      const plan = roomCreation.read(body);
      try {
        const { id } = db.transaction(() => roomCreation.create(session.userId, plan));
        return { room_id: id, ...(plan.alias === undefined ? {} : { room_alias: plan.alias }) };
      } catch (error) {
        if (!(error instanceof MatrixError) || error.code !== "M_FORBIDDEN") throw error;
        throw new MatrixError("M_INVALID_ROOM_STATE", `Invalid initial state. ${error.message}`, {
          cause: error,
        });
      }
    },
  ),

  route(
    "POST /_matrix/client/v3/rooms/{roomId}/upgrade",
    { errors: ["M_FORBIDDEN", "M_NOT_FOUND", "M_MISSING_PARAM", "M_BAD_JSON", "M_UNSUPPORTED_ROOM_VERSION"] },
    (call, services) => {
      const id = requiredString(call.body, "new_version");
      const version =
        findRoomVersion(id) ?? refuse("M_UNSUPPORTED_ROOM_VERSION", `Unknown room version ${id}.`);
      const additionalCreators = optionalStrings(call.body, "additional_creators");
      services.rooms.get(requireParam(call, "roomId"));
      const room = requireJoinedRoom(call, services);
      return {
        replacement_room: services.db.transaction(() =>
          upgradeRoom(services, room, call.session.userId, { version, additionalCreators }),
        ).id,
      };
    },
  ),

  route("GET /_matrix/client/v3/joined_rooms", {}, ({ session }, { members }) => ({
    joined_rooms: members.joinedRooms(session.userId),
  })),
];
