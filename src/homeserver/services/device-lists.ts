import type { Ledger } from "./ledger.ts";
import type { Members } from "./members.ts";
import type { Rooms } from "./rooms.ts";
import type { Wake } from "./wake.ts";

/** The tables `device_list_changes` and `key_notices`: users whose keys or devices changed, so that clients fetch them again. */
export interface DeviceLists {
  changed(userId: string): void;
  /** Like `changed`, but visible to one reader only. */
  changedFor(reader: string, userId: string): void;
  /** Users whose keys changed for this reader only. */
  noticesSince(reader: string, after: number): string[];
  since(after: number): { user: string; stream: number }[];
  /** The user and everyone who shares a room with them. */
  sharing(userId: string): Set<string>;
}

export function openDeviceLists(ledger: Ledger, members: Members, rooms: Rooms, wake: Wake): DeviceLists {
  const newest = (table: string): number =>
    ledger.get<{ stream: number | null }>(`SELECT max(stream) AS stream FROM ${table}`)?.stream ?? 0;
  let latest = newest("device_list_changes");
  let latestNotice = newest("key_notices");

  function sharing(userId: string): Set<string> {
    const users = new Set([userId]);
    for (const roomId of members.joinedRooms(userId))
      for (const other of rooms.find(roomId)?.joined ?? []) users.add(other);
    return users;
  }

  return {
    changed(userId) {
      latest = ledger.next();
      ledger.write("INSERT OR REPLACE INTO device_list_changes (user, stream) VALUES (?, ?)", userId, latest);
      ledger.afterCommit(() => wake.usersWhere((other) => members.shareRoom(userId, other)));
    },
    changedFor(reader, userId) {
      latestNotice = ledger.next();
      ledger.write(
        "INSERT OR REPLACE INTO key_notices (reader, user, stream) VALUES (?, ?, ?)",
        reader,
        userId,
        latestNotice,
      );
      ledger.afterCommit(() => wake.users([reader]));
    },
    noticesSince: (reader, after) =>
      latestNotice <= after
        ? []
        : ledger
            .all<{ user: string }>(
              "SELECT user FROM key_notices WHERE reader = ? AND stream > ?",
              reader,
              after,
            )
            .map(({ user }) => user),
    since: (after) =>
      latest <= after
        ? []
        : ledger.all("SELECT user, stream FROM device_list_changes WHERE stream > ?", after),
    sharing,
  };
}
