import { parseJson } from "../../shared/json.ts";
import type { JsonObject } from "../json.ts";
import type { BatchedDatabase } from "./batched-database.ts";

export type Pusher = JsonObject & { app_id: string; pushkey: string };

/** The table `pushers`. They are stored and listed, but never called: this server makes no outgoing requests. */
export interface Pushers {
  of(userId: string): JsonObject[];
  set(userId: string, device: number, pusher: Pusher): void;
  /** An app on a device notifies one user only, unless the client sets `append`. */
  removeOfOthers(userId: string, pusher: Pusher): void;
  remove(userId: string, appId: string, pushkey: string): void;
  removeOfDevice(device: number): void;
}

export function openPushers(db: BatchedDatabase): Pushers {
  return {
    of: (userId) =>
      db
        .all<{ pusher: string }>("SELECT pusher FROM pushers WHERE user = ? ORDER BY app_id, pushkey", userId)
        .map(({ pusher }) => parseJson(pusher) as JsonObject),
    set: (userId, device, pusher) =>
      db.write(
        "INSERT OR REPLACE INTO pushers (user, app_id, pushkey, device, pusher) VALUES (?, ?, ?, ?, ?)",
        userId,
        pusher.app_id,
        pusher.pushkey,
        device,
        JSON.stringify(pusher),
      ),
    removeOfOthers: (userId, pusher) =>
      db.write(
        "DELETE FROM pushers WHERE user <> ? AND app_id = ? AND pushkey = ?",
        userId,
        pusher.app_id,
        pusher.pushkey,
      ),
    remove: (userId, appId, pushkey) =>
      db.write("DELETE FROM pushers WHERE user = ? AND app_id = ? AND pushkey = ?", userId, appId, pushkey),
    removeOfDevice: (device) => db.write("DELETE FROM pushers WHERE device = ?", device),
  };
}
