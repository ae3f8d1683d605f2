import { route } from "../route.ts";
import { parseSlidingRequest } from "../rules/sliding-request.ts";
import { readPresence, readTimeout } from "./sync.ts";

export const slidingSyncRoutes = [
  // Simplified sliding sync (MSC4186), which Element X needs.
  route(
    "POST /_matrix/client/unstable/org.matrix.simplified_msc3575/sync",
    { errors: ["M_UNKNOWN_POS", "M_INVALID_PARAM", "M_BAD_JSON", "M_LIMIT_EXCEEDED"], isRead: true },
    ({ query, session, body, onDisconnect }, { slidingSync }) =>
      slidingSync.run({
        session,
        pos: query.get("pos") || undefined,
        timeoutMs: readTimeout(query),
        presence: readPresence(query),
        onDisconnect,
        wanted: parseSlidingRequest(body),
      }),
  ),
];
