import type { JsonObject } from "../json.ts";
import { requireRoom, readFlag, readLimit } from "../reading.ts";
import { route } from "../route.ts";
import { passAllFilter, parseSyncFilter } from "../rules/filter.ts";
import { toInitialSync, toOldPresence } from "../rules/old-sync.ts";
import { readPage, showPage } from "../services/paging.ts";
import { showPresence } from "../services/sync.ts";
import { listVisibleState } from "./state.ts";

const maxEvents = 1_000;

export const initialSyncRoutes = [
  // Older clients use this instead of an initial /sync.
  route("GET /_matrix/client/v3/initialSync", { errors: ["M_INVALID_PARAM"] }, async (call, services) => {
    const { query, session, onDisconnect } = call;
    const timeline = { limit: readLimit(query, 10, maxEvents) };
    const answer = await services.sync.run({
      session,
      since: undefined,
      timeoutMs: 0,
      isFull: false,
      isStateAfter: true,
      withToDevice: false,
      filter: parseSyncFilter({ room: { timeline, include_leave: readFlag(query, "archived") } }),
      presence: "online",
      onDisconnect,
    });
    return toInitialSync(answer, (roomId) => ({
      membership: services.members.in(session.userId, roomId)?.membership ?? "leave",
      visibility: services.rooms.get(roomId).isPublic ? "public" : "private",
    }));
  }),

  // Older clients use this to read a room, even before they join it.
  route(
    "GET /_matrix/client/v3/rooms/{roomId}/initialSync",
    { errors: ["M_FORBIDDEN", "M_INVALID_PARAM"], isLargeRead: true },
    async (call, services): Promise<JsonObject> => {
      const { session } = call;
      const room = requireRoom(call, services);
      const viewer = services.history.viewer(room, session.userId);
      const limit = readLimit(call.query, 10, maxEvents);
      const from = viewer.stateUpTo ?? services.db.position();
      const query = { direction: "b" as const, from, to: undefined, limit, filter: passAllFilter };
      const page = await readPage(services, room, viewer, query);
      const data = services.accountData.since(session.userId, room.id, 0);
      return {
        room_id: room.id,
        membership: services.members.in(session.userId, room.id)?.membership,
        visibility: room.isPublic ? "public" : "private",
        state: services.presenter.show(room, listVisibleState(room, call, services), session),
        messages: {
          start: `s${page.end ?? from}`,
          end: `s${from}`,
          chunk: await showPage(services, room, page.events.toReversed(), { reader: session, viewer }),
        },
        account_data: data.map(({ type, content }) => ({ type, content })),
        presence: services.presence.since(room.joined, 0).map((user) => toOldPresence(showPresence(user))),
      };
    },
  ),
];
