import type { Ledger } from "./ledger.ts";
import type { Members } from "./members.ts";
import type { Rooms } from "./rooms.ts";
import type { Wake } from "./wake.ts";

/** Whose keys or devices changed, and when: clients re-read the keys of those they share a room with. */
export interface DeviceLists {
  changed(userId: string): void;
  since(after: number): { user: string; stream: number }[];
  changedAt(): number;
  /** Everybody who is in a room with this user, and the user. */
  sharing(userId: string): Set<string>;
}

export function openDeviceLists(ledger: Ledger, members: Members, rooms: Rooms, wake: Wake): DeviceLists {
  let latest =
    ledger.get<{ stream: number | null }>("SELECT max(stream) AS stream FROM device_list_changes")?.stream ??
    0;

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
      ledger.afterCommit(() => wake.users(sharing(userId)));
    },
    since: (after) =>
      latest <= after
        ? []
        : ledger.all("SELECT user, stream FROM device_list_changes WHERE stream > ?", after),
    changedAt: () => latest,
    sharing,
  };
}
