import { refuse } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { requireRoom, readDirection, readFlag, readLimit, readPosition } from "../reading.ts";
import { type Call, route } from "../route.ts";
import type { StoredEvent } from "../rules/event.ts";
import { readRelation } from "../rules/relation.ts";
import type { Services } from "../services.ts";
import type { Room } from "../services/rooms.ts";
import { showPage } from "../services/paging.ts";
import { requireVisibleEvent } from "./history.ts";

const maxEvents = 500;
const maxDepth = 3;

async function listRelations(call: Call, services: Services): Promise<JsonObject> {
  const { query, session, params } = call;
  const room = requireRoom(call, services);
  const event = requireVisibleEvent(room, call, services);
  const viewer = services.history.viewer(room, session.userId);
  const direction = readDirection(query, "b");
  const limit = readLimit(query, 50, maxEvents);
  const [from, to] = [readPosition(query.get("from")), readPosition(query.get("to"))];
  const isForward = direction === "f";
  const range = {
    after: (isForward ? from : to) ?? 0,
    upTo: (isForward ? to : from) ?? services.db.position(),
    direction,
    limit: limit + 1,
  };
  const depth = readFlag(query, "recurse") ? maxDepth : 1;
  const found = collect(
    services,
    room,
    event.id,
    { ...range, relation: params.relType, type: params.eventType },
    depth,
  )
    .filter((child) => viewer.canSee(child))
    .toSorted((a, b) => (isForward ? a.stream - b.stream : b.stream - a.stream));
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  const next = found.length > limit && last ? (isForward ? last.stream : last.stream - 1) : undefined;
  return {
    chunk: await showPage(services, room, shown, { reader: session, viewer }),
    ...(next === undefined ? {} : { next_batch: `s${next}` }),
    ...(query.get("from") === null ? {} : { prev_batch: query.get("from") }),
    ...(depth > 1 ? { recursion_depth: depth } : {}),
  };
}

type ChildQuery = Omit<Parameters<Services["relations"]["children"]>[1], "parent">;

/** Collects children, recursively if requested. The type filters apply to the returned events, not to those in between. */
function collect(
  services: Services,
  room: Room,
  parent: string,
  query: ChildQuery,
  depth: number,
): StoredEvent[] {
  if (depth === 1) return services.relations.children(room, { ...query, parent });
  const found = new Map<string, StoredEvent>();
  let level = [parent];
  for (let step = 0; step < depth && level.length > 0; step++) {
    const any = { ...query, relation: undefined, type: undefined };
    const children = level.flatMap((id) => services.relations.children(room, { ...any, parent: id }));
    for (const child of children) found.set(child.id, child);
    level = children.map(({ id }) => id).filter((id) => room.parents.has(id));
  }
  return [...found.values()].filter(
    ({ type, content }) =>
      (query.type === undefined || type === query.type) &&
      (query.relation === undefined || readRelation(content)?.type === query.relation),
  );
}

const errors = ["M_FORBIDDEN", "M_NOT_FOUND", "M_INVALID_PARAM"] as const;

export const relationRoutes = [
  route(
    "GET /_matrix/client/v1/rooms/{roomId}/relations/{eventId}",
    { errors, isLargeRead: true },
    listRelations,
  ),

  route(
    "GET /_matrix/client/v1/rooms/{roomId}/relations/{eventId}/{relType}",
    { errors, isLargeRead: true },
    listRelations,
  ),

  route(
    "GET /_matrix/client/v1/rooms/{roomId}/relations/{eventId}/{relType}/{eventType}",
    { errors, isLargeRead: true },
    listRelations,
  ),

  route(
    "GET /_matrix/client/v1/rooms/{roomId}/threads",
    { errors: ["M_FORBIDDEN", "M_INVALID_PARAM"], isLargeRead: true },
    async (call, services) => {
      const { query, session } = call;
      const room = requireRoom(call, services);
      const viewer = services.history.viewer(room, session.userId);
      const include = query.get("include") ?? "all";
      if (include !== "all" && include !== "participated")
        refuse("M_INVALID_PARAM", "include must be all or participated.");
      const limit = readLimit(query, 20, maxEvents);
      const before = readPosition(query.get("from")) ?? Number.MAX_SAFE_INTEGER;
      const participant = include === "participated" ? session.userId : undefined;
      const threads = services.relations.threads(room, participant, before, limit + 1);
      const roots = threads
        .slice(0, limit)
        .map(({ root }) => services.timeline.find(room, root))
        .filter((event) => event !== undefined)
        .filter((event) => viewer.canSee(event));
      const next = threads.length > limit ? threads[limit - 1]?.last : undefined;
      return {
        chunk: await showPage(services, room, roots, { reader: session, viewer }),
        ...(next === undefined ? {} : { next_batch: `s${next}` }),
      };
    },
  ),
];
