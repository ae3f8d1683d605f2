import { refuse } from "../errors.ts";
import { optionalString, requiredString } from "../fields.ts";
import { requireParam, requireSelf } from "../reading.ts";
import { route } from "../route.ts";
import type { PresenceState } from "../services/presence.ts";
import { showPresence } from "../services/sync.ts";
import type { JsonObject } from "../json.ts";

export const presenceStates: readonly string[] = ["online", "unavailable", "offline"];

export const presenceRoutes = [
  route(
    "GET /_matrix/client/v3/presence/{userId}/status",
    { errors: ["M_NOT_FOUND", "M_FORBIDDEN"] },
    (call, { accounts, presence, deviceLists }) => {
      const { id } = accounts.get(requireParam(call, "userId"));
      if (!deviceLists.listSharing(call.session.userId).has(id))
        refuse("M_FORBIDDEN", "You share no room with this user.");
      const user = presence.get(id);
      return user ? (showPresence(user).content as JsonObject) : { presence: "offline" };
    },
  ),

  route(
    "PUT /_matrix/client/v3/presence/{userId}/status",
    { errors: ["M_FORBIDDEN", "M_MISSING_PARAM", "M_BAD_JSON"] },
    (call, { presence }) => {
      const userId = requireSelf(call);
      const state = requiredString(call.body, "presence");
      if (!presenceStates.includes(state)) refuse("M_BAD_JSON", `Unknown presence ${state}.`);
      presence.set(userId, state as PresenceState, optionalString(call.body, "status_msg"));
      return {};
    },
  ),
];
