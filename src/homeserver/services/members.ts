import type { Membership } from "../rules/event.ts";
import type { BatchedDatabase } from "./batched-database.ts";

/** A user's current membership of a room. */
export interface Member {
  roomId: string;
  membership: Membership;
  /** Position of the membership event. */
  stream: number;
  /** Position of the current join; later profile changes do not move it. */
  joinPosition: number | undefined;
  /** True if the user was ever in the room; false after a rejected invitation. */
  wasJoined: boolean;
  isForgotten: boolean;
}

/** The table `members`, by user. */
export interface Members {
  of(userId: string): ReadonlyMap<string, Member>;
  in(userId: string, roomId: string): Member | undefined;
  joinedRooms(userId: string): string[];
  /** Whether the users share a room or are the same user. Loads no room. */
  shareRoom(userId: string, other: string): boolean;
  record(userId: string, room: { n: number; id: string }, membership: Membership, stream: number): void;
  forget(userId: string, room: { n: number; id: string }): void;
}

export function openMembers(db: BatchedDatabase): Members {
  const known = new Map<string, Map<string, Member>>();
  db.onInvalidate(() => known.clear());

  function load(userId: string): Map<string, Member> {
    let rooms = known.get(userId);
    if (!rooms) {
      const rows = db.all<MemberRow>(
        `SELECT r.id AS roomId, m.membership, m.stream, m.joined_at AS joinPosition, m.was_joined AS wasJoined,
           m.is_forgotten AS isForgotten FROM members m JOIN rooms r ON r.n = m.room WHERE m.user = ?`,
        userId,
      );
      rooms = new Map(rows.map((row) => [row.roomId, readRow(row)]));
      known.set(userId, rooms);
    }
    return rooms;
  }

  function save(userId: string, n: number, member: Member): void {
    db.write(
      `INSERT OR REPLACE INTO members (user, room, membership, stream, joined_at, was_joined, is_forgotten)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      userId,
      n,
      member.membership,
      member.stream,
      member.joinPosition,
      member.wasJoined,
      member.isForgotten,
    );
  }

  return {
    of: load,
    in: (userId, roomId) => load(userId).get(roomId),
    joinedRooms: (userId) =>
      [...load(userId).values()]
        .filter(({ membership }) => membership === "join")
        .map(({ roomId }) => roomId),
    shareRoom(userId, other) {
      if (userId === other) return true;
      const theirs = load(other);
      for (const { membership, roomId } of load(userId).values())
        if (membership === "join" && theirs.get(roomId)?.membership === "join") return true;
      return false;
    },
    record(userId, room, membership, stream) {
      const before = load(userId).get(room.id);
      const isJoin = membership === "join";
      const member: Member = {
        roomId: room.id,
        membership,
        stream,
        joinPosition: isJoin ? (before?.membership === "join" ? before.joinPosition : stream) : undefined,
        wasJoined: isJoin || before?.membership === "join" || (before?.wasJoined ?? false),
        isForgotten: false,
      };
      load(userId).set(room.id, member);
      save(userId, room.n, member);
    },
    forget(userId, room) {
      const member = load(userId).get(room.id);
      if (!member) return;
      member.isForgotten = true;
      save(userId, room.n, member);
    },
  };
}

interface MemberRow {
  roomId: string;
  membership: Membership;
  stream: number;
  joinPosition: number | null;
  wasJoined: number;
  isForgotten: number;
}

function readRow(row: MemberRow): Member {
  return {
    ...row,
    joinPosition: row.joinPosition ?? undefined,
    wasJoined: row.wasJoined === 1,
    isForgotten: row.isForgotten === 1,
  };
}
