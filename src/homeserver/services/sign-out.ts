import type { DeviceKeys } from "./device-keys.ts";
import type { DeviceLists } from "./device-lists.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { Pushers } from "./pushers.ts";
import type { Sessions } from "./sessions.ts";

/** Signs out devices: deletes their tokens, keys, queued messages and pushers, and announces the device list change. */
interface SignOut {
  devices(userId: string, deviceIds: readonly string[]): void;
  /** All devices, or all but one. */
  all(userId: string, except?: string): void;
}

export function openSignOut(deps: {
  db: BatchedDatabase;
  sessions: Sessions;
  deviceKeys: DeviceKeys;
  deviceLists: DeviceLists;
  pushers: Pushers;
}): SignOut {
  const { db, sessions, deviceKeys, deviceLists, pushers } = deps;

  function devices(userId: string, deviceIds: readonly string[]): void {
    const ended = sessions.devices(userId).filter(({ id }) => deviceIds.includes(id));
    if (ended.length === 0) return;
    for (const { n, id } of ended) {
      deviceKeys.removeDevice(userId, id);
      pushers.removeOfDevice(n);
      db.write("DELETE FROM to_device WHERE device = ?", n);
    }
    sessions.remove(
      userId,
      ended.map(({ id }) => id),
    );
    deviceLists.recordChange(userId);
  }

  return {
    devices,
    all(userId, except) {
      const ids = sessions.devices(userId).map(({ id }) => id);
      devices(
        userId,
        ids.filter((id) => id !== except),
      );
    },
  };
}
