import { refuse } from "../errors.ts";
import { optionalInteger, optionalString } from "../fields.ts";
import { requireJoinedRoom, requireParam } from "../reading.ts";
import { route } from "../route.ts";

export const reportRoutes = [
  route(
    "POST /_matrix/client/v3/users/{userId}/report",
    { errors: ["M_NOT_FOUND", "M_BAD_JSON"] },
    (call, { accounts, reports }) => {
      const reason = optionalString(call.body, "reason");
      const { id } = accounts.get(requireParam(call, "userId"));
      reports.add({ reporter: call.session.userId, userId: id, reason });
      return {};
    },
  ),

  route(
    "POST /_matrix/client/v3/rooms/{roomId}/report/{eventId}",
    { errors: ["M_NOT_FOUND", "M_BAD_JSON"] },
    (call, services) => {
      const { userId } = call.session;
      const room = services.rooms.find(requireParam(call, "roomId"));
      const eventId = requireParam(call, "eventId");
      optionalInteger(call.body, "score");
      const reason = optionalString(call.body, "reason");
      if (!room?.joined.has(userId) || !services.timeline.find(room, eventId))
        refuse("M_NOT_FOUND", "There is no such event in your rooms.");
      services.reports.add({ reporter: userId, roomId: room.id, eventId, reason });
      return {};
    },
  ),

  route(
    "POST /_matrix/client/v3/rooms/{roomId}/report",
    { errors: ["M_FORBIDDEN", "M_BAD_JSON"] },
    (call, services) => {
      const reason = optionalString(call.body, "reason");
      services.reports.add({
        reporter: call.session.userId,
        roomId: requireJoinedRoom(call, services).id,
        reason,
      });
      return {};
    },
  ),
];
