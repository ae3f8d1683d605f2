import { refuse } from "../errors.ts";
import {
  optionalObject,
  optionalString,
  optionalStrings,
  requiredObject,
  requiredString,
} from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { readOffset } from "../reading.ts";
import { type Call, route } from "../route.ts";
import type { StoredEvent } from "../rules/event.ts";
import { passAllFilter, filterEvent, filterRoom, parseEventFilter } from "../rules/filter.ts";
import type { Services } from "../services.ts";
import { readPage } from "../services/paging.ts";
import type { Room } from "../services/rooms.ts";
import type { FoundEvent, SearchKey } from "../services/search.ts";

const keys: readonly SearchKey[] = ["content.body", "content.name", "content.topic"];
const maxResults = 100;
const maxContext = 50;
/** The events before all results of a page together; as many again after them. */
const maxContextOfPage = 500;
/** More than a person types. Each costs the index a pass over the messages with all others. */
const maxWords = 32;

export const searchRoutes = [
  route(
    "POST /_matrix/client/v3/search",
    { errors: ["M_MISSING_PARAM", "M_BAD_JSON", "M_INVALID_PARAM"], isLargeRead: true },
    async (call, services) => {
      const criteria = optionalObject(requiredObject(call.body, "search_categories"), "room_events");
      return {
        search_categories: criteria ? { room_events: await searchEvents(criteria, call, services) } : {},
      };
    },
  ),
];

async function searchEvents(criteria: JsonObject, call: Call, services: Services): Promise<JsonObject> {
  const { session, query } = call;
  const term = requiredString(criteria, "search_term");
  const words = new Set(term.toLowerCase().match(/[\p{L}\p{N}_]+/gu));
  if (words.size > maxWords) refuse("M_INVALID_PARAM", `search_term has more than ${maxWords} words.`);
  const wanted = optionalStrings(criteria, "keys") ?? keys;
  const order = optionalString(criteria, "order_by") ?? "rank";
  if (order !== "rank" && order !== "recent") refuse("M_INVALID_PARAM", "order_by must be rank or recent.");
  const filter = parseEventFilter(criteria.filter);
  const limit = Math.min(filter.limit ?? 10, maxResults);
  const offset = readOffset(query.get("next_batch"), "next_batch");
  const rooms = [...services.members.of(session.userId).values()]
    .filter(({ membership, wasJoined, isForgotten }) => membership === "join" || (wasJoined && !isForgotten))
    .map(({ roomId }) => roomId)
    .filter((roomId) => filterRoom(filter, roomId));
  const known = keys.filter((key) => wanted.includes(key));
  if (known.length === 0) refuse("M_INVALID_PARAM", `keys must contain at least one of ${keys.join(", ")}.`);
  const { hits, count } = services.search.find({ words, keys: known, rooms, order, offset, limit });
  const visible = hits.filter(({ event }) => filterEvent(filter, event) && canSee(event, call, services));
  const asked = optionalObject(criteria, "event_context");
  const maxEvents = Math.min(maxContext, Math.floor(maxContextOfPage / visible.length));
  const context = asked && { asked, maxEvents };
  const results: JsonObject[] = [];
  const pause = services.timeSlices.begin();
  for (const hit of visible) {
    const pausing = pause();
    if (pausing) await pausing;
    results.push(await showHit(hit, context, call, services));
  }
  return {
    count,
    results,
    highlights: [...words],
    ...(hits.length === limit ? { next_batch: `p${offset + limit}` } : {}),
    ...(criteria.include_state === true ? { state: showStates(visible, call, services) } : {}),
    ...(criteria.groupings === undefined ? {} : { groups: groupHits(criteria, visible) }),
  };
}

interface ContextQuery {
  asked: JsonObject;
  /** On each side of a result. */
  maxEvents: number;
}

function canSee(event: StoredEvent, { session }: Call, { history, rooms }: Services): boolean {
  return history.viewer(rooms.get(event.roomId), session.userId).canSee(event);
}

async function showHit(
  { event, rank }: FoundEvent,
  context: ContextQuery | undefined,
  call: Call,
  services: Services,
): Promise<JsonObject> {
  const room = services.rooms.get(event.roomId);
  const [result] = services.presenter.show(room, [event], call.session);
  // Older clients read the sender from `user_id`.
  const shown: JsonObject = { rank, result: { ...result, user_id: event.sender } };
  if (context) shown.context = await showContext(room, event, context, call, services);
  return shown;
}

async function showContext(
  room: Room,
  event: StoredEvent,
  { asked, maxEvents }: ContextQuery,
  call: Call,
  services: Services,
): Promise<JsonObject> {
  const viewer = services.history.viewer(room, call.session.userId);
  const read = async (direction: "f" | "b", name: string): Promise<StoredEvent[]> => {
    const given = asked[name];
    const limit = Math.min(Number.isSafeInteger(given) ? (given as number) : 5, maxEvents);
    const from = direction === "b" ? event.stream - 1 : event.stream;
    if (limit <= 0) return [];
    const query = { direction, from, to: undefined, limit, filter: passAllFilter };
    return (await readPage(services, room, viewer, query)).events;
  };
  const [before, after] = [await read("b", "before_limit"), await read("f", "after_limit")];
  const senders = new Set([event, ...before, ...after].map(({ sender }) => sender));
  const profiles: JsonObject = {};
  if (asked.include_profile === true)
    for (const userId of senders) {
      const { displayname, avatar_url } = room.view("m.room.member", userId)?.content ?? {};
      profiles[userId] = { displayname, avatar_url };
    }
  return {
    start: `s${(before.at(-1)?.stream ?? event.stream) - 1}`,
    end: `s${after.at(-1)?.stream ?? event.stream}`,
    events_before: services.presenter.show(room, before, call.session),
    events_after: services.presenter.show(room, after, call.session),
    ...(asked.include_profile === true ? { profile_info: profiles } : {}),
  };
}

function showStates(hits: FoundEvent[], call: Call, services: Services): JsonObject {
  const states: JsonObject = {};
  for (const { event } of hits) {
    const room = services.rooms.get(event.roomId);
    states[room.id] ??= services.presenter.show(room, [...room.state.values()], call.session);
  }
  return states;
}

function groupHits(criteria: JsonObject, hits: FoundEvent[]): JsonObject {
  const by = optionalObject(criteria, "groupings")?.group_by;
  const groups: Record<string, Record<string, { results: string[]; order: number }>> = {};
  for (const item of Array.isArray(by) ? by : []) {
    const key = (item as JsonObject | null)?.key;
    if (key !== "room_id" && key !== "sender") continue;
    const group: (typeof groups)[string] = {};
    groups[key] = group;
    for (const { event } of hits) {
      const value = key === "sender" ? event.sender : event.roomId;
      group[value] ??= { results: [], order: Object.keys(group).length };
      group[value].results.push(event.id);
    }
  }
  return groups;
}
