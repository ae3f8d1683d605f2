import { refuse } from "../errors.ts";
import { findRoom, requireParam, readFlag, readInteger, readLimit, readOffset } from "../reading.ts";
import { type Call, route } from "../route.ts";
import { readJoinRule } from "../rules/auth-rules.ts";
import { toStrippedEvent } from "../rules/client-event.ts";
import { summariseRoom } from "../rules/describe-room.ts";
import type { StoredEvent } from "../rules/event.ts";
import { isWorldReadable } from "../rules/history-visibility.ts";
import { listAllowedRooms } from "../rules/restricted-join.ts";
import type { Services } from "../services.ts";
import type { Room } from "../services/rooms.ts";

const maxRooms = 50;
const depthLimit = 10;

/** A user can see rooms they are in or invited to, open rooms, and rooms they may join through another room. */
function isVisible(room: Room, userId: string, { members }: Services): boolean {
  const membership = members.in(userId, room.id)?.membership;
  if (membership === "join" || membership === "invite") return true;
  const rule = readJoinRule(room.view);
  if (rule === "public" || rule === "knock" || rule === "knock_restricted") return true;
  if (isWorldReadable(room.view)) return true;
  return listAllowedRooms(room.view).some((id) => members.in(userId, id)?.membership === "join");
}

/** The children of a space by their `order`, then by age. */
function listChildren(room: Room, isSuggestedOnly: boolean): StoredEvent[] {
  const order = ({ content }: StoredEvent): string | undefined =>
    typeof content.order === "string" && /^[\x20-\x7e]{1,50}$/.test(content.order)
      ? content.order
      : undefined;
  return room
    .stateEvents("m.space.child")
    .filter(({ content }) => Array.isArray(content.via) && (!isSuggestedOnly || content.suggested === true))
    .toSorted((a, b) => {
      const [left, right] = [order(a), order(b)];
      if (left !== right) return left === undefined ? 1 : right === undefined ? -1 : left < right ? -1 : 1;
      return a.sentAt - b.sentAt || ((a.stateKey ?? "") < (b.stateKey ?? "") ? -1 : 1);
    });
}

function walk(root: Room, call: Call, services: Services): { room: Room; children: StoredEvent[] }[] {
  const isSuggestedOnly = readFlag(call.query, "suggested_only");
  const maxDepth = Math.min(readInteger(call.query, "max_depth") ?? depthLimit, depthLimit);
  if (maxDepth < 0) refuse("M_INVALID_PARAM", "max_depth must be positive.");
  const found: { room: Room; children: StoredEvent[] }[] = [];
  const seen = new Set<string>();
  const visit = (room: Room, depth: number): void => {
    if (seen.has(room.id) || !isVisible(room, call.session.userId, services)) return;
    seen.add(room.id);
    const isSpace = room.view("m.room.create")?.content.type === "m.space";
    const children = isSpace ? listChildren(room, isSuggestedOnly) : [];
    found.push({ room, children });
    if (depth >= maxDepth) return;
    for (const { stateKey = "" } of children) {
      const child = services.rooms.find(stateKey);
      if (child) visit(child, depth + 1);
    }
  };
  visit(root, 0);
  return found;
}

export const spaceRoutes = [
  route(
    "GET /_matrix/client/v1/room_summary/{roomIdOrAlias}",
    { errors: ["M_NOT_FOUND", "M_INVALID_PARAM"] },
    (call, services) => {
      const { userId } = call.session;
      const room = findRoom(requireParam(call, "roomIdOrAlias"), services);
      if (!isVisible(room, userId, services))
        refuse("M_NOT_FOUND", "There is no such room, or you may not see it.");
      const membership = services.members.in(userId, room.id)?.membership;
      return { ...summariseRoom(room), ...(membership === undefined ? {} : { membership }) };
    },
  ),

  route(
    "GET /_matrix/client/v1/rooms/{roomId}/hierarchy",
    { errors: ["M_FORBIDDEN", "M_INVALID_PARAM"], isLargeRead: true },
    (call, services) => {
      const root = services.rooms.find(requireParam(call, "roomId"));
      if (!root || !isVisible(root, call.session.userId, services))
        refuse("M_FORBIDDEN", "You cannot see this room.");
      const limit = readLimit(call.query, maxRooms, maxRooms) || maxRooms;
      const start = readOffset(call.query.get("from"), "from");
      const found = walk(root, call, services);
      const next = start + limit;
      return {
        rooms: found.slice(start, next).map(({ room, children }) => ({
          ...summariseRoom(room),
          children_state: children.map((child) => ({
            ...toStrippedEvent(child),
            room_id: room.id,
            origin_server_ts: child.sentAt,
          })),
        })),
        ...(next < found.length ? { next_batch: `p${next}` } : {}),
      };
    },
  ),
];
