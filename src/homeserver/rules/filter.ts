import { refuse } from "../errors.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { StoredEvent } from "./event.ts";
import { compileTypeGlob, matchesText, maxGlobLength } from "./glob.ts";
import { isUserId } from "./identifiers.ts";

/** A parsed event filter. Absent lists match everything. */
export interface EventFilter {
  limit: number | undefined;
  types: string[] | undefined;
  notTypes: string[];
  senders: string[] | undefined;
  notSenders: string[];
  rooms: string[] | undefined;
  notRooms: string[];
  containsUrl: boolean | undefined;
  lazyLoad: boolean;
  includeRedundant: boolean;
  unreadThreads: boolean;
  relatedByTypes: string[] | undefined;
  relatedBySenders: string[] | undefined;
}

/** A parsed /sync filter. */
export interface SyncFilter {
  presence: EventFilter;
  accountData: EventFilter;
  rooms: string[] | undefined;
  notRooms: string[];
  includeLeave: boolean;
  timeline: EventFilter;
  state: EventFilter;
  ephemeral: EventFilter;
  roomAccountData: EventFilter;
  fields: string[] | undefined;
  isFederationFormat: boolean;
}

/** Maximum length of a list, because every event is compared with every entry. */
const maxEntries = 1_000;

export function parseEventFilter(value: unknown, name = "filter"): EventFilter {
  const filter = value === undefined ? {} : value;
  if (!isObject(filter)) refuse("M_BAD_JSON", `${name} must be an object.`);
  const strings = (key: string): string[] | undefined => {
    const list = filter[key];
    if (list === undefined) return undefined;
    if (!Array.isArray(list) || !list.every((item) => typeof item === "string"))
      refuse("M_BAD_JSON", `${name}.${key} must be an array of strings.`);
    if (list.length > maxEntries) refuse("M_BAD_JSON", `${name}.${key} has more than ${maxEntries} entries.`);
    if (list.some((item) => item.length > maxGlobLength))
      refuse("M_BAD_JSON", `${name}.${key} has an entry of more than ${maxGlobLength} characters.`);
    return list;
  };
  const flag = (key: string): boolean | undefined => {
    const given = filter[key];
    if (given !== undefined && typeof given !== "boolean")
      refuse("M_BAD_JSON", `${name}.${key} must be true or false.`);
    return given;
  };
  const { limit } = filter;
  if (limit !== undefined && (!Number.isSafeInteger(limit) || (limit as number) < 0))
    refuse("M_BAD_JSON", `${name}.limit must be a positive integer.`);
  for (const key of ["senders", "not_senders"])
    for (const id of strings(key) ?? [])
      if (!isUserId(id)) refuse("M_BAD_JSON", `${name}.${key}: ${id} is not a user id.`);
  for (const key of ["rooms", "not_rooms"])
    for (const id of strings(key) ?? [])
      if (!/^![^:]+/.test(id)) refuse("M_BAD_JSON", `${name}.${key}: ${id} is not a room id.`);
  return {
    limit: limit as number | undefined,
    types: strings("types"),
    notTypes: strings("not_types") ?? [],
    senders: strings("senders"),
    notSenders: strings("not_senders") ?? [],
    rooms: strings("rooms"),
    notRooms: strings("not_rooms") ?? [],
    containsUrl: flag("contains_url"),
    lazyLoad: flag("lazy_load_members") ?? false,
    includeRedundant: flag("include_redundant_members") ?? false,
    unreadThreads: flag("unread_thread_notifications") ?? false,
    relatedByTypes: strings("related_by_rel_types"),
    relatedBySenders: strings("related_by_senders"),
  };
}

export function parseSyncFilter(value: JsonObject): SyncFilter {
  const room = value.room === undefined ? {} : value.room;
  if (!isObject(room)) refuse("M_BAD_JSON", "room must be an object.");
  const roomLists = parseEventFilter({ rooms: room.rooms, not_rooms: room.not_rooms }, "room");
  const includeLeave = room.include_leave;
  if (includeLeave !== undefined && typeof includeLeave !== "boolean")
    refuse("M_BAD_JSON", "room.include_leave must be true or false.");
  const { event_fields: fields, event_format: format } = value;
  if (fields !== undefined && (!Array.isArray(fields) || !fields.every((field) => typeof field === "string")))
    refuse("M_BAD_JSON", "event_fields must be an array of strings.");
  if (fields && fields.length > maxEntries)
    refuse("M_BAD_JSON", `event_fields has more than ${maxEntries} entries.`);
  // A backslash can only escape a dot; an escaped backslash has no meaning.
  if (fields?.some((field) => field.includes("\\\\")))
    refuse("M_BAD_JSON", "event_fields must not contain an escaped backslash.");
  if (format !== undefined && format !== "client" && format !== "federation")
    refuse("M_BAD_JSON", "event_format must be client or federation.");
  return {
    presence: parseEventFilter(value.presence, "presence"),
    accountData: parseEventFilter(value.account_data, "account_data"),
    rooms: roomLists.rooms,
    notRooms: roomLists.notRooms,
    includeLeave: includeLeave ?? false,
    timeline: parseEventFilter(room.timeline, "room.timeline"),
    state: parseEventFilter(room.state, "room.state"),
    ephemeral: parseEventFilter(room.ephemeral, "room.ephemeral"),
    roomAccountData: parseEventFilter(room.account_data, "room.account_data"),
    fields,
    isFederationFormat: format === "federation",
  };
}

export function filterRoom(filter: Pick<EventFilter, "rooms" | "notRooms">, roomId: string): boolean {
  return (filter.rooms?.includes(roomId) ?? true) && !filter.notRooms.includes(roomId);
}

/** Matches type and sender only, for account data and ephemeral events. */
export function filterKind(filter: EventFilter, type: string, sender?: string): boolean {
  if (filter.types && !filter.types.some((pattern) => matches(pattern, type))) return false;
  if (filter.notTypes.some((pattern) => matches(pattern, type))) return false;
  if (sender === undefined) return true;
  if (filter.senders && !filter.senders.includes(sender)) return false;
  return !filter.notSenders.includes(sender);
}

export function filterEvent(filter: EventFilter, event: StoredEvent): boolean {
  if (!filterKind(filter, event.type, event.sender)) return false;
  if (filter.containsUrl !== undefined && filter.containsUrl !== (typeof event.content.url === "string"))
    return false;
  return filterRoom(filter, event.roomId);
}

/** `*` matches any sequence of characters. */
function matches(pattern: string, type: string): boolean {
  return pattern.includes("*") ? matchesText(compileTypeGlob(pattern), type) : pattern === type;
}

export const passAllFilter: EventFilter = parseEventFilter({});
