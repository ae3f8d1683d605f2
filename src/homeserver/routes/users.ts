import { optionalInteger, requiredString } from "../fields.ts";
import type { JsonObject } from "../json.ts";
import { route } from "../route.ts";
import type { Services } from "../services.ts";
import type { Account } from "../services/accounts.ts";

const mostUsers = 50;

/** In a public room, or in a room with the one who asks: others are nobody's business. */
function isVisible(account: Account, sharing: ReadonlySet<string>, { members, rooms }: Services): boolean {
  if (sharing.has(account.id)) return true;
  return members.joinedRooms(account.id).some((id) => {
    const room = rooms.find(id);
    return room?.isPublic || room?.view("m.room.join_rules")?.content.join_rule === "public";
  });
}

export const userRoutes = [
  route(
    "POST /_matrix/client/v3/user_directory/search",
    { errors: ["M_MISSING_PARAM", "M_BAD_JSON"] },
    ({ body, session }, services) => {
      const term = requiredString(body, "search_term");
      const limit = Math.min(Math.max(optionalInteger(body, "limit") ?? 10, 0), mostUsers);
      const sharing = services.deviceLists.sharing(session.userId);
      const found = services.accounts
        .search(term.replace(/^@/, ""))
        .filter((account) => account.id !== session.userId && isVisible(account, sharing, services));
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
