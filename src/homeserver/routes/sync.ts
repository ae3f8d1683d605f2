import { refuse } from "../errors.ts";
import { isObject, type JsonObject } from "../json.ts";
import {
  requireParam,
  readFlag,
  readInteger,
  readJsonParam,
  readSyncToken,
  requireSelf,
} from "../reading.ts";
import { type Call, route } from "../route.ts";
import { parseSyncFilter, type SyncFilter } from "../rules/filter.ts";
import type { Services } from "../services.ts";
import type { PresenceState } from "../services/presence.ts";
import { presenceStates } from "./presence.ts";

/** Limited because a filter is parsed on every sync and compared with every event. */
const maxFilterBytes = 65_536;
export const maxPollMs = 90_000;
const parsed = new WeakMap<JsonObject, SyncFilter>();
const noFilter: JsonObject = {};

function readFilter({ query, session }: Call, { filters }: Services): SyncFilter {
  const text = query.get("filter");
  let filter: unknown = noFilter;
  if (text?.startsWith("{")) filter = readJsonParam(query, "filter");
  else if (text)
    filter = filters.get(session.userId, text) ?? refuse("M_INVALID_PARAM", `Unknown filter ${text}.`);
  if (!isObject(filter)) refuse("M_BAD_JSON", "filter must be an object.");
  const known = parsed.get(filter) ?? parseSyncFilter(filter);
  parsed.set(filter, known);
  return known;
}

export function readTimeout(query: URLSearchParams): number {
  return Math.min(Math.max(readInteger(query, "timeout") ?? 0, 0), maxPollMs);
}

export function readPresence(query: URLSearchParams): PresenceState {
  const presence = query.get("set_presence") ?? "online";
  if (!presenceStates.includes(presence)) refuse("M_INVALID_PARAM", `Unknown presence ${presence}.`);
  return presence as PresenceState;
}

export const syncRoutes = [
  route(
    "GET /_matrix/client/v3/sync",
    { errors: ["M_INVALID_PARAM", "M_NOT_JSON", "M_BAD_JSON", "M_LIMIT_EXCEEDED"] },
    (call, services) => {
      const { query, session } = call;
      const { position: since, toDevice } = readSyncToken(query.get("since"));
      if (since !== undefined && since > services.db.position())
        refuse("M_INVALID_PARAM", "since is not a token of this server.");
      return services.sync.run({
        session,
        since,
        toDeviceSince: toDevice,
        timeoutMs: readTimeout(query),
        isFull: readFlag(query, "full_state"),
        isStateAfter: readFlag(query, "use_state_after"),
        withToDevice: true,
        filter: readFilter(call, services),
        presence: readPresence(query),
        onDisconnect: call.onDisconnect,
      });
    },
  ),

  route(
    "POST /_matrix/client/v3/user/{userId}/filter",
    { errors: ["M_FORBIDDEN", "M_BAD_JSON"], maxBytes: maxFilterBytes },
    (call, { filters }) => {
      const userId = requireSelf(call);
      parseSyncFilter(call.body);
      return { filter_id: filters.add(userId, call.body) };
    },
  ),

  route(
    "GET /_matrix/client/v3/user/{userId}/filter/{filterId}",
    { errors: ["M_FORBIDDEN", "M_NOT_FOUND"] },
    (call, { filters }) => {
      const id = requireParam(call, "filterId");
      return filters.get(requireSelf(call), id) ?? refuse("M_NOT_FOUND", `Unknown filter ${id}.`);
    },
  ),
];
