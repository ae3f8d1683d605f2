import { refuse } from "../errors.ts";
import {
  objectEntries,
  optionalArray,
  optionalBoolean,
  optionalInteger,
  optionalObject,
  optionalString,
  optionalStrings,
} from "../fields.ts";
import { isObject, type JsonObject } from "../json.ts";

/** A pair of event type and state key; `*` matches everything. */
export type StatePattern = readonly [type: string, stateKey: string];

/** How much of a room to return. */
export interface RoomConfig {
  timelineLimit: number;
  requiredState: readonly StatePattern[];
}

export interface ListFilters {
  isDm: boolean | undefined;
  isEncrypted: boolean | undefined;
  isInvite: boolean | undefined;
  roomTypes: readonly unknown[] | undefined;
  notRoomTypes: readonly unknown[];
  tags: readonly string[] | undefined;
  notTags: readonly string[];
  spaces: readonly string[] | undefined;
}

interface ListConfig extends RoomConfig {
  ranges: readonly (readonly [first: number, last: number])[];
  filters: ListFilters;
}

/** An enabled extension. `lists` and `rooms` limit it to some of the rooms; undefined is no limit. */
export interface Extension {
  lists: readonly string[] | undefined;
  rooms: readonly string[] | undefined;
}

export interface ToDeviceExtension {
  since: string | undefined;
  limit: number;
}

export interface SlidingRequest {
  connection: string;
  txnId: string | undefined;
  lists: ReadonlyMap<string, ListConfig>;
  subscriptions: ReadonlyMap<string, RoomConfig>;
  extensions: {
    toDevice: ToDeviceExtension | undefined;
    e2ee: Extension | undefined;
    accountData: Extension | undefined;
    receipts: Extension | undefined;
    typing: Extension | undefined;
  };
}

const maxLists = 100;
const maxSubscriptions = 1_000;
const maxPatterns = 200;
const maxTimeline = 100;
const maxMessages = 100;
const maxConnectionLength = 64;

/** The body of a simplified sliding sync (MSC4186). `M_BAD_JSON` if it is malformed. */
export function parseSlidingRequest(body: JsonObject): SlidingRequest {
  const connection = optionalString(body, "conn_id") ?? "";
  if (connection.length > maxConnectionLength)
    refuse("M_BAD_JSON", `conn_id is longer than ${maxConnectionLength} characters.`);
  const extensions = optionalObject(body, "extensions") ?? {};
  return {
    connection,
    txnId: optionalString(body, "txn_id"),
    lists: new Map(entries(body, "lists", maxLists).map(([name, list]) => [name, parseList(list)])),
    subscriptions: new Map(
      entries(body, "room_subscriptions", maxSubscriptions).map(([id, config]) => [id, parseConfig(config)]),
    ),
    extensions: {
      toDevice: parseToDevice(extensions),
      e2ee: parseExtension(extensions, "e2ee"),
      accountData: parseExtension(extensions, "account_data"),
      receipts: parseExtension(extensions, "receipts"),
      typing: parseExtension(extensions, "typing"),
    },
  };
}

function entries(body: JsonObject, name: string, max: number): [string, JsonObject][] {
  if (body[name] === undefined || body[name] === null) return [];
  const found = objectEntries(body, name);
  if (found.length > max) refuse("M_BAD_JSON", `${name} has more than ${max} entries.`);
  return found;
}

function parseConfig(config: JsonObject): RoomConfig {
  const limit = optionalInteger(config, "timeline_limit") ?? 0;
  if (limit < 0) refuse("M_BAD_JSON", "timeline_limit must not be negative.");
  const patterns = optionalArray(config, "required_state") ?? [];
  if (patterns.length > maxPatterns)
    refuse("M_BAD_JSON", `required_state has more than ${maxPatterns} entries.`);
  return { timelineLimit: Math.min(limit, maxTimeline), requiredState: patterns.map(parsePattern) };
}

function parsePattern(pattern: unknown): StatePattern {
  const [type, stateKey] = Array.isArray(pattern) ? (pattern as unknown[]) : [];
  return typeof type === "string" && typeof stateKey === "string"
    ? [type, stateKey]
    : refuse("M_BAD_JSON", "Each required_state must be a pair of event type and state key.");
}

function parseList(list: JsonObject): ListConfig {
  const filters = optionalObject(list, "filters") ?? {};
  return {
    ...parseConfig(list),
    ranges: (optionalArray(list, "ranges") ?? []).map(parseRange),
    filters: {
      isDm: optionalBoolean(filters, "is_dm"),
      isEncrypted: optionalBoolean(filters, "is_encrypted"),
      isInvite: optionalBoolean(filters, "is_invite"),
      roomTypes: optionalArray(filters, "room_types"),
      notRoomTypes: optionalArray(filters, "not_room_types") ?? [],
      tags: optionalStrings(filters, "tags"),
      notTags: optionalStrings(filters, "not_tags") ?? [],
      spaces: optionalStrings(filters, "spaces"),
    },
  };
}

function parseRange(range: unknown): readonly [number, number] {
  const [first, last] = Array.isArray(range) ? (range as unknown[]) : [];
  const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
  return isIndex(first) && isIndex(last) && first <= last
    ? [first, last]
    : refuse("M_BAD_JSON", "Each range must be a pair of indices in ascending order.");
}

function parseExtension(extensions: JsonObject, name: string): Extension | undefined {
  const given = optionalObject(extensions, name) ?? {};
  if (!optionalBoolean(given, "enabled")) return undefined;
  return { lists: optionalStrings(given, "lists"), rooms: optionalStrings(given, "rooms") };
}

function parseToDevice(extensions: JsonObject): ToDeviceExtension | undefined {
  if (!parseExtension(extensions, "to_device") || !isObject(extensions.to_device)) return undefined;
  const limit = optionalInteger(extensions.to_device, "limit") ?? maxMessages;
  return {
    since: optionalString(extensions.to_device, "since"),
    limit: Math.min(Math.max(limit, 1), maxMessages),
  };
}
