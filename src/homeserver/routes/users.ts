import { optionalInteger, requiredString } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { route } from "../route.ts";
import { readJoinRule } from "../rules/auth-rules.ts";
import { isWorldReadable } from "../rules/history-visibility.ts";
import type { Services } from "../services.ts";
import type { Account } from "../services/accounts.ts";
import type { Room } from "../services/rooms.ts";

const maxUsers = 50;

/** Users are listed only if they are in an open room or share a room with the searching user. */
function isVisible(
  account: Account,
  asking: string,
  sharing: ReadonlySet<string>,
  services: Services,
): boolean {
  if (account.id !== asking && sharing.has(account.id)) return true;
  return services.members.joinedRooms(account.id).some((id) => {
    const room = services.rooms.find(id);
    return room !== undefined && isOpenRoom(room);
  });
}

function isOpenRoom({ isPublic, view }: Room): boolean {
  return isPublic || readJoinRule(view) === "public" || isWorldReadable(view);
}

export const userRoutes = [
  route(
    "POST /_matrix/client/v3/user_directory/search",
    { errors: ["M_MISSING_PARAM", "M_BAD_JSON"] },
    ({ body, session }, services) => {
      const term = requiredString(body, "search_term");
      const limit = Math.min(Math.max(optionalInteger(body, "limit") ?? 10, 0), maxUsers);
      const sharing = services.deviceLists.listSharing(session.userId);
      const found = services.accounts
        .search(term.replace(/^@/, ""))
        .filter((account) => isVisible(account, session.userId, sharing, services));
      return {
        limited: found.length > limit,
        results: found.slice(0, limit).map(
          ({ id, displayName, avatarUrl }): JsonObject => ({
            user_id: id,
            ...(displayName === undefined ? {} : { display_name: displayName }),
            ...(avatarUrl === undefined ? {} : { avatar_url: avatarUrl }),
          }),
        ),
      };
    },
  ),
];
