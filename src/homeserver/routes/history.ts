import { refuse } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import {
  requireRoom,
  requireParam,
  readDirection,
  readInteger,
  readJsonParam,
  readLimit,
  readPosition,
} from "../reading.ts";
import { type Call, route } from "../route.ts";
import type { StoredEvent } from "../rules/event.ts";
import { type EventFilter, parseEventFilter } from "../rules/filter.ts";
import type { Services } from "../services.ts";
import { listLazyMembers, readPage, showPage } from "../services/paging.ts";
import type { Room } from "../services/rooms.ts";

const maxEvents = 1_000;

function readFilter(query: URLSearchParams): EventFilter {
  return parseEventFilter(readJsonParam(query, "filter"));
}

/** The event of the path. `M_NOT_FOUND` if it does not exist or the caller may not see it. */
export function requireVisibleEvent(room: Room, call: Call, services: Services): StoredEvent {
  const id = requireParam(call, "eventId");
  const viewer = services.history.viewer(room, call.session.userId);
  const event = services.timeline.find(room, id);
  if (!event || !viewer.canSee(event))
    refuse("M_NOT_FOUND", `There is no event ${id}, or you may not see it.`);
  return event;
}

export const historyRoutes = [
  route(
    "GET /_matrix/client/v3/rooms/{roomId}/messages",
    {
      errors: ["M_FORBIDDEN", "M_INVALID_PARAM", "M_MISSING_PARAM", "M_NOT_JSON", "M_BAD_JSON"],
      isLargeRead: true,
    },
    async (call, services) => {
      const { query, session } = call;
      const room = requireRoom(call, services);
      const viewer = services.history.viewer(room, session.userId);
      const direction = readDirection(query);
      const filter = readFilter(query);
      const page = await readPage(services, room, viewer, {
        direction,
        from: readPosition(query.get("from")),
        to: readPosition(query.get("to")),
        limit: readLimit(query, filter.limit ?? 10, maxEvents),
        filter,
      });
      const members = filter.lazyLoad ? listLazyMembers(room, page.events) : [];
      return {
        start: `s${page.start}`,
        chunk: await showPage(services, room, page.events, { reader: session, viewer }),
        ...(page.end === undefined ? {} : { end: `s${page.end}` }),
        ...(members.length > 0 ? { state: services.presenter.show(room, members, session) } : {}),
      };
    },
  ),

  route(
    "GET /_matrix/client/v3/rooms/{roomId}/event/{eventId}",
    { errors: ["M_NOT_FOUND"] },
    (call, services) => {
      const { session } = call;
      const room = services.rooms.find(requireParam(call, "roomId"));
      // Users outside the room must not learn whether the event exists.
      if (!room || !services.history.isOpenTo(room, session.userId))
        refuse("M_NOT_FOUND", "There is no such event, or you may not see it.");
      const viewer = services.history.viewer(room, session.userId);
      const event = requireVisibleEvent(room, call, services);
      return services.presenter.show(room, [event], session, viewer)[0] as JsonObject;
    },
  ),

  route(
    "GET /_matrix/client/v3/rooms/{roomId}/context/{eventId}",
    { errors: ["M_FORBIDDEN", "M_NOT_FOUND", "M_INVALID_PARAM", "M_NOT_JSON"], isLargeRead: true },
    async (call, services) => {
      const { query, session } = call;
      const room = requireRoom(call, services);
      const event = requireVisibleEvent(room, call, services);
      const filter = readFilter(query);
      const viewer = services.history.viewer(room, session.userId);
      const limit = readLimit(query, 10, maxEvents);
      const around = (direction: "f" | "b", from: number, most: number): ReturnType<typeof readPage> =>
        readPage(services, room, viewer, { direction, from, to: undefined, limit: most, filter });
      const before = await around("b", event.stream - 1, Math.floor(limit / 2));
      const after = await around("f", event.stream, Math.ceil(limit / 2));
      const last = after.events.at(-1) ?? event;
      const events = [...before.events, event, ...after.events];
      const state = services.log
        .stateAt(room.n, last.stream)
        .filter(({ type }) => !filter.lazyLoad || type !== "m.room.member");
      const members = filter.lazyLoad ? listLazyMembers(room, events) : [];
      const show = (shown: StoredEvent[]): Promise<JsonObject[]> =>
        showPage(services, room, shown, { reader: session, viewer });
      return {
        start: `s${before.events.at(-1) ? (before.events.at(-1) as StoredEvent).stream - 1 : event.stream - 1}`,
        end: `s${last.stream}`,
        events_before: await show(before.events),
        event: (await show([event]))[0],
        events_after: await show(after.events),
        state: services.presenter.show(room, [...state, ...members], session),
      };
    },
  ),

  route(
    "GET /_matrix/client/v1/rooms/{roomId}/timestamp_to_event",
    { errors: ["M_FORBIDDEN", "M_NOT_FOUND", "M_MISSING_PARAM", "M_INVALID_PARAM"] },
    (call, services) => {
      const room = requireRoom(call, services);
      const viewer = services.history.viewer(room, call.session.userId);
      const at = readInteger(call.query, "ts") ?? refuse("M_MISSING_PARAM", "ts is missing.");
      const event = services.log.nearest(room.n, at, readDirection(call.query, "f"), viewer.canSee);
      if (!event) refuse("M_NOT_FOUND", "There is no event in that direction.");
      return { event_id: event.id, origin_server_ts: event.sentAt };
    },
  ),
];
