import { refuse } from "../errors.ts";
import { optionalInteger, optionalObject, optionalString, requiredString } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { requireRoom, requireParam, readLimit, readOffset } from "../reading.ts";
import { type Call, route } from "../route.ts";
import { readPowerLevels } from "../rules/power.ts";
import { describeRoom } from "../rules/describe-room.ts";
import type { Services } from "../services.ts";
import type { Room } from "../services/rooms.ts";

interface Listing {
  limit: number;
  since: string | null;
  term: string | undefined;
  types: unknown[] | undefined;
}

const maxRooms = 500;

function listPublic(services: Services, { limit, since, term, types }: Listing): JsonObject {
  const words = term?.toLowerCase();
  const matching = services.rooms
    .publicIds()
    .map((id) => services.rooms.find(id))
    .filter((room) => room !== undefined)
    .map((room) => ({ room, shown: describeRoom(room) }))
    .filter(({ room, shown }) => {
      if (types && !types.includes(shown.room_type ?? null)) return false;
      const names = [shown.name, shown.topic, shown.canonical_alias, ...services.aliases.of(room.id)];
      const text = names.filter((name) => typeof name === "string").join("\n");
      return words === undefined || text.toLowerCase().includes(words);
    })
    .toSorted((a, b) => b.room.joined.size - a.room.joined.size || (a.room.id < b.room.id ? -1 : 1));
  const from = readOffset(since, "since");
  const next = from + limit;
  return {
    chunk: matching.slice(from, next).map(({ shown }) => shown),
    total_room_count_estimate: matching.length,
    ...(next < matching.length ? { next_batch: `p${next}` } : {}),
    ...(from > 0 ? { prev_batch: `p${Math.max(0, from - limit)}` } : {}),
  };
}

/** Without federation, only this server's rooms can be listed. */
function checkServer(call: Call, { serverName }: Services): void {
  const server = call.query.get("server");
  if (server !== null && server !== serverName) refuse("M_NOT_FOUND", `Unknown server ${server}.`);
}

function mayManage(room: Room, userId: string): boolean {
  const levels = readPowerLevels(room.view);
  return room.joined.has(userId) && levels.of(userId) >= levels.toSend("m.room.canonical_alias", true);
}

/** Removes a deleted alias from the room's canonical alias, if the user has the power to. */
function dropCanonical(room: Room, alias: string, userId: string, { timeline }: Services): void {
  const content = room.view("m.room.canonical_alias")?.content;
  if (!content || !mayManage(room, userId)) return;
  const others = Array.isArray(content.alt_aliases)
    ? content.alt_aliases.filter((other) => other !== alias)
    : undefined;
  const { alias: main, alt_aliases: _others, ...rest } = content;
  if (main !== alias && others?.length === (content.alt_aliases as unknown[] | undefined)?.length) return;
  const kept: JsonObject = { ...rest };
  if (main !== alias && main !== undefined) kept.alias = main;
  if (others && others.length > 0) kept.alt_aliases = others;
  timeline.append(room, { type: "m.room.canonical_alias", stateKey: "", sender: userId, content: kept });
}

export const directoryRoutes = [
  route(
    "GET /_matrix/client/v3/directory/room/{roomAlias}",
    { access: "guarded", errors: ["M_NOT_FOUND", "M_INVALID_PARAM"] },
    (call, { aliases, serverName }) => ({
      room_id: aliases.get(requireParam(call, "roomAlias")).roomId,
      servers: [serverName],
    }),
  ),

  route(
    "PUT /_matrix/client/v3/directory/room/{roomAlias}",
    { errors: ["M_FORBIDDEN", "M_INVALID_PARAM", "M_ROOM_IN_USE", "M_MISSING_PARAM", "M_NOT_FOUND"] },
    (call, { aliases, rooms }) => {
      const alias = requireParam(call, "roomAlias");
      aliases.checkOwn(alias);
      const room = rooms.get(requiredString(call.body, "room_id"));
      if (!room.joined.has(call.session.userId)) refuse("M_FORBIDDEN", "You are not in this room.");
      if (aliases.find(alias)) refuse("M_ROOM_IN_USE", `${alias} is taken.`);
      aliases.add(alias, room.id, call.session.userId);
      return {};
    },
  ),

  route(
    "DELETE /_matrix/client/v3/directory/room/{roomAlias}",
    { errors: ["M_FORBIDDEN", "M_NOT_FOUND", "M_INVALID_PARAM"] },
    (call, services) => {
      const { userId } = call.session;
      const { alias, roomId, creator } = services.aliases.get(requireParam(call, "roomAlias"));
      const room = services.rooms.find(roomId);
      if (creator !== userId && !(room && mayManage(room, userId)))
        refuse("M_FORBIDDEN", "Removing another user's alias needs a higher power level.");
      services.aliases.remove(alias);
      if (room) dropCanonical(room, alias, userId, services);
      return {};
    },
  ),

  route("GET /_matrix/client/v3/rooms/{roomId}/aliases", { errors: ["M_FORBIDDEN"] }, (call, services) => {
    const room = requireRoom(call, services);
    services.history.viewer(room, call.session.userId);
    return { aliases: services.aliases.of(room.id) };
  }),

  route(
    "GET /_matrix/client/v3/directory/list/room/{roomId}",
    { access: "guarded", errors: ["M_NOT_FOUND"] },
    (call, { rooms }) => ({
      visibility: rooms.get(requireParam(call, "roomId")).isPublic ? "public" : "private",
    }),
  ),

  route(
    "PUT /_matrix/client/v3/directory/list/room/{roomId}",
    { errors: ["M_NOT_FOUND", "M_FORBIDDEN", "M_INVALID_PARAM"] },
    (call, { rooms }) => {
      const room = rooms.get(requireParam(call, "roomId"));
      const visibility = optionalString(call.body, "visibility") ?? "public";
      if (visibility !== "public" && visibility !== "private")
        refuse("M_INVALID_PARAM", "visibility must be public or private.");
      if (!mayManage(room, call.session.userId))
        refuse("M_FORBIDDEN", "Listing a room needs a higher power level.");
      rooms.setPublic(room, visibility === "public");
      return {};
    },
  ),

  route(
    "GET /_matrix/client/v3/publicRooms",
    { access: "guarded", errors: ["M_INVALID_PARAM", "M_NOT_FOUND"] },
    (call, services) => {
      checkServer(call, services);
      return listPublic(services, {
        since: call.query.get("since"),
        term: undefined,
        types: undefined,
        limit: readLimit(call.query, maxRooms, maxRooms) || maxRooms,
      });
    },
  ),

  route(
    "POST /_matrix/client/v3/publicRooms",
    { errors: ["M_INVALID_PARAM", "M_BAD_JSON", "M_NOT_FOUND"] },
    (call, services) => {
      checkServer(call, services);
      const { body } = call;
      const filter = optionalObject(body, "filter") ?? {};
      const limit = optionalInteger(body, "limit") ?? maxRooms;
      if (limit < 0) refuse("M_INVALID_PARAM", "limit must be positive.");
      return listPublic(services, {
        limit: Math.min(limit || maxRooms, maxRooms),
        since: optionalString(body, "since") ?? null,
        term: optionalString(filter, "generic_search_term"),
        types: Array.isArray(filter.room_types) ? filter.room_types : undefined,
      });
    },
  ),
];
