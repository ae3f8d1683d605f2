import { refuse } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { requireRoom, requireJoinedRoom, requireParam, readPosition } from "../reading.ts";
import { type Call, route } from "../route.ts";
import { memberships, type StoredEvent } from "../rules/event.ts";
import { isAlias } from "../rules/identifiers.ts";
import type { Services } from "../services.ts";
import { type Room, stateKeyOf } from "../services/rooms.ts";

/** The state that the caller may see: the current state, or the state at the time they left. */
export function listVisibleState(room: Room, call: Call, { history, log }: Services): StoredEvent[] {
  const { stateUpTo } = history.viewer(room, call.session.userId);
  return stateUpTo === undefined ? [...room.state.values()] : log.stateAt(room.n, stateUpTo);
}

function getState(call: Call, services: Services): JsonObject {
  const room = requireRoom(call, services);
  const [type, stateKey] = [requireParam(call, "eventType"), requireParam(call, "stateKey")];
  const { stateUpTo } = services.history.viewer(room, call.session.userId);
  const event =
    stateUpTo === undefined
      ? room.state.get(stateKeyOf(type, stateKey))
      : services.log.stateHistory(room.n, type, stateKey).findLast(({ stream }) => stream <= stateUpTo);
  if (!event) refuse("M_NOT_FOUND", `This room has no state ${type} ${stateKey}.`);
  if (call.query.get("format") !== "event") return event.content;
  return services.presenter.show(room, [event], call.session)[0] as JsonObject;
}

function putState(call: Call, services: Services): JsonObject {
  const room = requireRoom(call, services);
  const [type, stateKey] = [requireParam(call, "eventType"), requireParam(call, "stateKey")];
  const { userId } = call.session;
  const { body } = call;
  if (type === "m.room.canonical_alias") checkCanonicalAlias(room, body, services);
  if (type === "m.room.member" && body.membership === "join" && stateKey === userId) {
    const { membership: _membership, ...extra } = body;
    services.membership.join(room, userId, extra);
    return { event_id: room.state.get(stateKeyOf(type, stateKey))?.id };
  }
  return { event_id: services.timeline.append(room, { type, stateKey, sender: userId, content: body }).id };
}

/** Each added alias must be valid and point to this room. */
function checkCanonicalAlias(room: Room, content: JsonObject, { aliases }: Services): void {
  const read = (from: JsonObject): unknown[] => [
    ...(from.alias === undefined || from.alias === null || from.alias === "" ? [] : [from.alias]),
    ...(Array.isArray(from.alt_aliases) ? from.alt_aliases : []),
  ];
  if (content.alt_aliases !== undefined && !Array.isArray(content.alt_aliases))
    refuse("M_BAD_JSON", "alt_aliases must be an array.");
  const before = read(room.view("m.room.canonical_alias")?.content ?? {});
  for (const alias of read(content)) {
    if (before.includes(alias)) continue;
    if (!isAlias(alias)) refuse("M_INVALID_PARAM", `${JSON.stringify(alias)} is not a room alias.`);
    if (aliases.find(alias)?.roomId !== room.id)
      refuse("M_BAD_ALIAS", `${alias} does not point to this room.`);
  }
}

const getErrors = ["M_FORBIDDEN", "M_NOT_FOUND"] as const;
const putErrors = ["M_FORBIDDEN", "M_BAD_JSON", "M_TOO_LARGE", "M_BAD_ALIAS", "M_INVALID_PARAM"] as const;

export const stateRoutes = [
  route(
    "GET /_matrix/client/v3/rooms/{roomId}/state",
    { errors: ["M_FORBIDDEN"], isLargeRead: true },
    (call, services) => {
      const room = requireRoom(call, services);
      return services.presenter.show(room, listVisibleState(room, call, services), call.session);
    },
  ),

  route("GET /_matrix/client/v3/rooms/{roomId}/state/{eventType}", { errors: getErrors }, getState),

  route(
    "GET /_matrix/client/v3/rooms/{roomId}/state/{eventType}/{stateKey}",
    { errors: getErrors },
    getState,
  ),

  route("PUT /_matrix/client/v3/rooms/{roomId}/state/{eventType}", { errors: putErrors }, putState),

  route(
    "PUT /_matrix/client/v3/rooms/{roomId}/state/{eventType}/{stateKey}",
    { errors: putErrors },
    putState,
  ),

  route(
    "GET /_matrix/client/v3/rooms/{roomId}/members",
    { errors: ["M_FORBIDDEN", "M_INVALID_PARAM"], isLargeRead: true },
    (call, services) => {
      const room = requireRoom(call, services);
      const { query } = call;
      const at = query.get("at");
      const events = at === null ? listVisibleState(room, call, services) : stateAt(room, at, call, services);
      const [wanted, unwanted] = [query.get("membership"), query.get("not_membership")];
      for (const membership of [wanted, unwanted])
        if (membership !== null && !(memberships as readonly string[]).includes(membership))
          refuse("M_INVALID_PARAM", `Unknown membership ${membership}.`);
      const members = events.filter(
        ({ type, content }) =>
          type === "m.room.member" &&
          (wanted === null || content.membership === wanted) &&
          (unwanted === null || content.membership !== unwanted),
      );
      return { chunk: services.presenter.show(room, members, call.session) };
    },
  ),

  route(
    "GET /_matrix/client/v3/rooms/{roomId}/joined_members",
    { errors: ["M_FORBIDDEN"] },
    (call, services) => {
      const room = requireJoinedRoom(call, services);
      const joined: JsonObject = {};
      for (const userId of room.joined) {
        const { displayname: name, avatar_url: avatar } = room.view("m.room.member", userId)?.content ?? {};
        joined[userId] = { display_name: name ?? null, avatar_url: avatar ?? null };
      }
      return { joined };
    },
  ),
];

function stateAt(room: Room, at: string, call: Call, { history, log }: Services): StoredEvent[] {
  const { stateUpTo } = history.viewer(room, call.session.userId);
  // The position may be before the first event of a short room; the state then includes the creator's join.
  const everything = { after: 0, upTo: Number.MAX_SAFE_INTEGER, direction: "f" as const };
  const start = log.range(room.n, { ...everything, limit: 2 }).at(-1)?.stream ?? 0;
  const position = Math.max(readPosition(at) ?? Number.MAX_SAFE_INTEGER, start);
  return log.stateAt(room.n, Math.min(position, stateUpTo ?? Number.MAX_SAFE_INTEGER));
}
