import { JsonDepthError } from "../shared/json.ts";
import { refuse } from "./errors.ts";
import { parseBody } from "./json.ts";
import type { Call } from "./route.ts";
import type { Services } from "./services.ts";
import type { Room } from "./services/rooms.ts";

/** Readers for path and query parameters, shared by all routes. */
export function requireParam(call: Call, name: string): string {
  return call.params[name] ?? "";
}

/** The user id of the path. `M_FORBIDDEN` unless it is the caller's. */
export function requireSelf(call: Call): string {
  const userId = requireParam(call, "userId");
  if (userId !== call.session.userId) refuse("M_FORBIDDEN", "This belongs to another user.");
  return userId;
}

/** The room of the path. `M_FORBIDDEN` unless the caller has joined it. */
export function requireJoinedRoom(call: Call, services: Services): Room {
  const room = services.rooms.find(requireParam(call, "roomId"));
  if (!room || services.members.in(call.session.userId, room.id)?.membership !== "join")
    refuse("M_FORBIDDEN", "You are not in this room.");
  return room;
}

/**
 * The room of the path, for handlers that check access themselves. An unknown room is also `M_FORBIDDEN`, so that its
 * existence does not leak.
 */
export function requireRoom(call: Call, services: Services): Room {
  return (
    services.rooms.find(requireParam(call, "roomId")) ?? refuse("M_FORBIDDEN", "You are not in this room.")
  );
}

/** A room by its id or one of its aliases. */
export function findRoom(idOrAlias: string, { aliases, rooms }: Services): Room {
  if (idOrAlias.startsWith("#")) return rooms.get(aliases.get(idOrAlias).roomId);
  if (!idOrAlias.startsWith("!"))
    refuse("M_INVALID_PARAM", `${idOrAlias} is neither a room id nor an alias.`);
  return rooms.get(idOrAlias);
}

/** `s123`: a position between two events. A /sync token may add the position of to-device messages: `s123_45`. */
export function readPosition(text: string | null): number | undefined {
  return readSyncToken(text).position;
}

export function readSyncToken(text: string | null): { position?: number; toDevice?: number } {
  if (text === null || text === "") return {};
  const [, position, toDevice] = /^s(\d{1,15})(?:_(\d{1,15}))?$/.exec(text) ?? [];
  if (position === undefined) refuse("M_INVALID_PARAM", `${text} is not a valid token.`);
  return { position: Number(position), ...(toDevice === undefined ? {} : { toDevice: Number(toDevice) }) };
}

/** `p20`: an offset into a list that is rebuilt for each page. */
export function readOffset(text: string | null, name: string): number {
  if (text === null) return 0;
  const digits = /^p(\d{1,9})$/.exec(text)?.[1];
  return digits === undefined
    ? refuse("M_INVALID_PARAM", `${name} is not a valid page token.`)
    : Number(digits);
}

export function readLimit(query: URLSearchParams, fallback: number, max: number): number {
  const text = query.get("limit");
  if (text === null) return fallback;
  if (!/^\d{1,9}$/.test(text)) refuse("M_INVALID_PARAM", "limit must be a positive integer.");
  return Math.min(Number(text), max);
}

export function readDirection(query: URLSearchParams, fallback?: "f" | "b"): "f" | "b" {
  const text = query.get("dir") ?? fallback;
  if (text === "f" || text === "b") return text;
  return text === undefined
    ? refuse("M_MISSING_PARAM", "dir is missing.")
    : refuse("M_INVALID_PARAM", "dir must be f or b.");
}

export function readFlag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  if (text === null || text === "false") return false;
  return text === "true" ? true : refuse("M_INVALID_PARAM", `${name} must be true or false.`);
}

export function readInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^-?\d{1,15}$/.test(text)) refuse("M_INVALID_PARAM", `${name} must be an integer.`);
  return Number(text);
}

/** A query parameter with JSON, such as a filter. */
export function readJsonParam(query: URLSearchParams, name: string): unknown {
  const text = query.get(name);
  if (text === null) return undefined;
  try {
    return parseBody(text);
  } catch (cause) {
    if (cause instanceof JsonDepthError) refuse("M_BAD_JSON", cause.message);
    return refuse("M_NOT_JSON", `${name} is not JSON.`);
  }
}
