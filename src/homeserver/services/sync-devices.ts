import type { Membership } from "../rules/event.ts";
import type { DeviceLists } from "./device-lists.ts";
import type { EventLog } from "./event-log.ts";
import type { Members } from "./members.ts";
import type { Room, Rooms } from "./rooms.ts";

/** The users whose device lists a client must fetch again or can stop tracking. */
export interface DeviceChanges {
  listBetween(userId: string, after: number, upTo?: number): Changes;
  listSharing(userId: string): Set<string>;
}

interface Changes {
  changed: string[];
  left: string[];
  /** The changed users who began to share a room with this user in the range. */
  newcomers: string[];
}

export function openDeviceChanges(
  lists: DeviceLists,
  members: Members,
  rooms: Rooms,
  log: EventLog,
): DeviceChanges {
  /** Joins and departures in a range of positions, without profile changes. */
  function listMoves(
    room: Room,
    after: number,
    upTo: number,
  ): { userId: string; to: Membership; from: unknown }[] {
    if ((room.last?.stream ?? 0) <= after) return [];
    const events = room.recentSince(after) ?? log.stateChanges(room.n, after, upTo);
    return events
      .filter(({ type, stream }) => type === "m.room.member" && stream <= upTo)
      .map(({ stateKey = "", content, replaced }) => ({
        userId: stateKey,
        to: content.membership as Membership,
        from: replaced?.content.membership,
      }))
      .filter(({ to, from }) => (to === "join") !== (from === "join"));
  }

  return {
    listSharing: lists.listSharing,
    listBetween(userId, after, upTo = Number.MAX_SAFE_INTEGER) {
      const changed = new Set<string>();
      const gone = new Set<string>();
      for (const member of members.of(userId).values()) {
        const room = rooms.find(member.roomId);
        if (!room) continue;
        if (member.membership === "join") {
          if ((member.joinPosition ?? 0) > after) for (const other of room.joined) changed.add(other);
          for (const move of listMoves(room, after, upTo))
            (move.to === "join" ? changed : gone).add(move.userId);
        } else if (member.wasJoined && member.stream > after)
          for (const other of room.joined) gone.add(other);
      }
      const listed = lists.since(after);
      const noticed = lists.noticesSince(userId, after);
      if (changed.size + gone.size + listed.length + noticed.length === 0)
        return { changed: [], left: [], newcomers: [] };
      const sharing = lists.listSharing(userId);
      const newcomers = [...changed].filter((user) => user !== userId && sharing.has(user));
      for (const { user } of listed) if (sharing.has(user)) changed.add(user);
      changed.delete(userId);
      if (listed.some(({ user }) => user === userId)) changed.add(userId);
      return {
        changed: [...new Set([...[...changed].filter((user) => sharing.has(user)), ...noticed])],
        left: [...gone].filter((user) => user !== userId && !sharing.has(user)),
        newcomers,
      };
    },
  };
}
