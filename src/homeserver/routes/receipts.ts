import { refuse } from "../errors.ts";
import { optionalString } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { requireJoinedRoom, requireParam } from "../reading.ts";
import { type Call, route } from "../route.ts";
import type { Services } from "../services.ts";
import type { Room } from "../services/rooms.ts";

const types = ["m.read", "m.read.private", "m.fully_read"];

function record(
  room: Room,
  call: Call,
  services: Services,
  type: string,
  eventId: string,
  thread = "",
): void {
  const { userId } = call.session;
  const event = services.timeline.find(room, eventId);
  if (type === "m.fully_read") {
    const before = services.accountData.get(userId, room.id, type)?.event_id;
    const marked = typeof before === "string" ? services.timeline.find(room, before) : undefined;
    // A read marker never moves back.
    if (marked && event && marked.stream >= event.stream) return;
    services.accountData.set(userId, room.id, type, { event_id: eventId });
  } else if (event) services.receipts.record(room, userId, type, thread, event);
}

function checkThread(room: Room, eventId: string, thread: string | undefined, services: Services): void {
  if (thread === undefined) return;
  if (thread === "") refuse("M_INVALID_PARAM", "thread_id must not be empty.");
  const event = services.timeline.find(room, eventId);
  if (event && !services.unread.isInThread(room, event, thread))
    refuse("M_INVALID_PARAM", `${eventId} is not in the thread ${thread}.`);
}

export const receiptRoutes = [
  route(
    "POST /_matrix/client/v3/rooms/{roomId}/receipt/{receiptType}/{eventId}",
    { errors: ["M_FORBIDDEN", "M_INVALID_PARAM", "M_BAD_JSON"] },
    (call, services) => {
      const room = requireJoinedRoom(call, services);
      const [type, eventId] = [requireParam(call, "receiptType"), requireParam(call, "eventId")];
      if (!types.includes(type)) refuse("M_INVALID_PARAM", `Unknown receipt type ${type}.`);
      const thread = optionalString(call.body, "thread_id");
      if (thread !== undefined && type === "m.fully_read")
        refuse("M_INVALID_PARAM", "A read marker cannot belong to a thread.");
      checkThread(room, eventId, thread, services);
      record(room, call, services, type, eventId, thread);
      return {};
    },
  ),

  route(
    "POST /_matrix/client/v3/rooms/{roomId}/read_markers",
    { errors: ["M_FORBIDDEN", "M_BAD_JSON"] },
    (call, services): JsonObject => {
      const room = requireJoinedRoom(call, services);
      for (const type of types) {
        const eventId = optionalString(call.body, type);
        if (eventId !== undefined) record(room, call, services, type, eventId);
      }
      return {};
    },
  ),
];
