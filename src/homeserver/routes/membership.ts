import { refuse } from "../errors.ts";
import { optionalString, requiredString } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { requireRoom, findRoom, requireParam } from "../reading.ts";
import { type Call, route } from "../route.ts";
import { isUserId } from "../rules/identifiers.ts";
import type { Services } from "../services.ts";
import type { Room } from "../services/rooms.ts";

/** The `user_id` of the body. */
function readTarget(body: JsonObject): string {
  const userId = requiredString(body, "user_id");
  return isUserId(userId) ? userId : refuse("M_INVALID_PARAM", `${userId} is not a user id.`);
}

function join(room: Room, call: Call, { membership }: Services): JsonObject {
  optionalString(call.body, "reason");
  const { third_party_signed: _signed, membership: _membership, ...extra } = call.body;
  membership.join(room, call.session.userId, extra);
  return { room_id: room.id };
}

const targeted = ["M_FORBIDDEN", "M_MISSING_PARAM", "M_INVALID_PARAM", "M_BAD_JSON"] as const;

export const membershipRoutes = [
  route(
    "POST /_matrix/client/v3/join/{roomIdOrAlias}",
    { errors: ["M_FORBIDDEN", "M_NOT_FOUND", "M_INVALID_PARAM"] },
    (call, services) => join(findRoom(requireParam(call, "roomIdOrAlias"), services), call, services),
  ),

  route(
    "POST /_matrix/client/v3/rooms/{roomId}/join",
    { errors: ["M_FORBIDDEN", "M_NOT_FOUND"] },
    (call, services) => join(services.rooms.get(requireParam(call, "roomId")), call, services),
  ),

  route(
    "POST /_matrix/client/v3/knock/{roomIdOrAlias}",
    { errors: ["M_FORBIDDEN", "M_NOT_FOUND", "M_BAD_JSON"] },
    (call, services) => {
      const room = findRoom(requireParam(call, "roomIdOrAlias"), services);
      services.membership.knock(room, call.session.userId, optionalString(call.body, "reason"));
      return { room_id: room.id };
    },
  ),

  route(
    "POST /_matrix/client/v3/rooms/{roomId}/leave",
    { errors: ["M_FORBIDDEN", "M_BAD_JSON"] },
    (call, services) => {
      services.membership.leave(
        requireRoom(call, services),
        call.session.userId,
        optionalString(call.body, "reason"),
      );
      return {};
    },
  ),

  route(
    "POST /_matrix/client/v3/rooms/{roomId}/forget",
    { errors: ["M_UNKNOWN", "M_FORBIDDEN"] },
    (call, services) => {
      const room = requireRoom(call, services);
      const member = services.members.in(call.session.userId, room.id);
      if (!member) refuse("M_FORBIDDEN", "You were never in this room.");
      if (member.membership !== "leave" && member.membership !== "ban")
        refuse("M_UNKNOWN", "Leave the room before you forget it.");
      services.members.forget(call.session.userId, room);
      services.accountData.remove(call.session.userId, room.id);
      return {};
    },
  ),

  route("POST /_matrix/client/v3/rooms/{roomId}/invite", { errors: targeted }, (call, services) => {
    const target = readTarget(call.body);
    const reason = optionalString(call.body, "reason");
    const extra = reason === undefined ? {} : { reason };
    services.membership.invite(requireRoom(call, services), call.session.userId, target, extra);
    return {};
  }),

  route("POST /_matrix/client/v3/rooms/{roomId}/kick", { errors: targeted }, (call, services) => {
    const [target, reason] = [readTarget(call.body), optionalString(call.body, "reason")];
    services.membership.kick(requireRoom(call, services), call.session.userId, target, reason);
    return {};
  }),

  route("POST /_matrix/client/v3/rooms/{roomId}/ban", { errors: targeted }, (call, services) => {
    const [target, reason] = [readTarget(call.body), optionalString(call.body, "reason")];
    services.membership.ban(requireRoom(call, services), call.session.userId, target, reason);
    return {};
  }),

  route("POST /_matrix/client/v3/rooms/{roomId}/unban", { errors: targeted }, (call, services) => {
    const [target, reason] = [readTarget(call.body), optionalString(call.body, "reason")];
    services.membership.unban(requireRoom(call, services), call.session.userId, target, reason);
    return {};
  }),
];
