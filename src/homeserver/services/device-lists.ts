import type { BatchedDatabase } from "./batched-database.ts";
import type { Members } from "./members.ts";
import type { Rooms } from "./rooms.ts";
import type { PollWaker } from "./poll-waker.ts";

/** The tables `device_list_changes` and `key_notices`: users whose keys or devices changed, so that clients fetch them again. */
export interface DeviceLists {
  recordChange(userId: string): void;
  /** Like `changed`, but visible to one reader only. */
  recordChangeFor(reader: string, userId: string): void;
  /** Users whose keys changed for this reader only. */
  noticesSince(reader: string, after: number): string[];
  since(after: number): { user: string; stream: number }[];
  /** The user and everyone who shares a room with them. */
  listSharing(userId: string): Set<string>;
}

export function openDeviceLists(
  db: BatchedDatabase,
  members: Members,
  rooms: Rooms,
  waker: PollWaker,
): DeviceLists {
  const newest = (table: string): number =>
    db.get<{ stream: number | null }>(`SELECT max(stream) AS stream FROM ${table}`)?.stream ?? 0;
  let latest = newest("device_list_changes");
  let latestNotice = newest("key_notices");

  function listSharing(userId: string): Set<string> {
    const users = new Set([userId]);
    for (const roomId of members.joinedRooms(userId))
      for (const other of rooms.find(roomId)?.joined ?? []) users.add(other);
    return users;
  }

  return {
    recordChange(userId) {
      latest = db.nextPosition();
      db.write("INSERT OR REPLACE INTO device_list_changes (user, stream) VALUES (?, ?)", userId, latest);
      db.afterCommit(() => waker.wakeWhere((other) => members.shareRoom(userId, other)));
    },
    recordChangeFor(reader, userId) {
      latestNotice = db.nextPosition();
      db.write(
        "INSERT OR REPLACE INTO key_notices (reader, user, stream) VALUES (?, ?, ?)",
        reader,
        userId,
        latestNotice,
      );
      db.afterCommit(() => waker.wake([reader]));
    },
    noticesSince: (reader, after) =>
      latestNotice <= after
        ? []
        : db
            .all<{ user: string }>(
              "SELECT user FROM key_notices WHERE reader = ? AND stream > ?",
              reader,
              after,
            )
            .map(({ user }) => user),
    since: (after) =>
      latest <= after ? [] : db.all("SELECT user, stream FROM device_list_changes WHERE stream > ?", after),
    listSharing,
  };
}
