import { refuse } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { requireParam, readInteger, readPosition } from "../reading.ts";
import { type Call, route } from "../route.ts";
import { parseSyncFilter } from "../rules/filter.ts";
import { toEventStream } from "../rules/old-sync.ts";
import type { Services } from "../services.ts";
import { maxPollMs } from "./sync.ts";

const defaultWaitMs = 30_000;
const maxEvents = 1_000;

/** All events since a position as one list. Older clients use it instead of /sync. */
async function pollEvents(call: Call, services: Services): Promise<JsonObject> {
  const { query, session } = call;
  const from = readPosition(query.get("from")) ?? services.db.position();
  if (from > services.db.position()) refuse("M_INVALID_PARAM", "from is not a token of this server.");
  const roomId = query.get("room_id");
  if (roomId !== null && services.members.in(session.userId, roomId)?.membership !== "join")
    refuse("M_FORBIDDEN", "You are not in this room.");
  const rooms = roomId === null ? {} : { rooms: [roomId] };
  const answer = await services.sync.run({
    session,
    since: from,
    isFull: false,
    isStateAfter: false,
    withToDevice: false,
    timeoutMs: Math.min(Math.max(readInteger(query, "timeout") ?? defaultWaitMs, 0), maxPollMs),
    filter: parseSyncFilter({ room: { ...rooms, timeline: { limit: maxEvents } } }),
    presence: "online",
    onDisconnect: call.onDisconnect,
  });
  // A newly joined room includes earlier events, which are dropped here.
  const isNew = ({ room_id: id, event_id: eventId }: JsonObject): boolean => {
    const room = typeof eventId === "string" ? services.rooms.find(String(id)) : undefined;
    return !room || (services.timeline.find(room, String(eventId))?.stream ?? 0) > from;
  };
  return { start: `s${from}`, end: answer.next_batch, chunk: toEventStream(answer).filter(isNew) };
}

export const eventRoutes = [
  route(
    "GET /_matrix/client/v3/events",
    { errors: ["M_INVALID_PARAM", "M_FORBIDDEN", "M_LIMIT_EXCEEDED"] },
    pollEvents,
  ),

  route("GET /_matrix/client/v3/events/{eventId}", { errors: ["M_NOT_FOUND"] }, (call, services) => {
    const { session } = call;
    const event = services.log.byId(requireParam(call, "eventId"));
    const room = event && services.rooms.find(event.roomId);
    const viewer =
      room && services.history.isOpenTo(room, session.userId)
        ? services.history.viewer(room, session.userId)
        : undefined;
    if (!event || !room || !viewer?.canSee(event))
      refuse("M_NOT_FOUND", "There is no such event, or you may not see it.");
    return services.presenter.show(room, [event], session, viewer)[0] as JsonObject;
  }),
];
