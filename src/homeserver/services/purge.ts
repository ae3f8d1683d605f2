import { removeAttached } from "./attached-media.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { Media } from "./media.ts";
import type { MembershipChanges } from "./membership.ts";
import type { Rooms } from "./rooms.ts";

export interface PurgeDeps {
  db: BatchedDatabase;
  rooms: Rooms;
  membership: MembershipChanges;
  media: Media;
  serverName: string;
}

const batchSize = 200;

/** Makes every member leave, so that syncing clients are notified. */
export function removeAllMembers({ rooms, membership }: PurgeDeps, roomId: string): void {
  const room = rooms.find(roomId);
  for (const userId of Array.from(room?.joined ?? [])) if (room) membership.leave(room, userId);
}

/** Deletes a room with all of its events, in small batches. Returns the number of events. */
export async function purgeRoom(
  deps: PurgeDeps,
  roomId: string,
  yieldTurn: () => Promise<void>,
): Promise<number> {
  const { db } = deps;
  const n = db.get<{ n: number }>("SELECT n FROM rooms WHERE id = ?", roomId)?.n;
  if (n === undefined) return 0;
  let removed = 0;
  for (;;) {
    await yieldTurn();
    const page = db.all<{ stream: number; content: string }>(
      "SELECT stream, content FROM events WHERE room = ? ORDER BY stream LIMIT ?",
      n,
      batchSize,
    );
    if (page.length === 0) break;
    await removeAttached(deps, page);
    const streams = JSON.stringify(page.map(({ stream }) => stream));
    db.write("DELETE FROM event_words WHERE rowid IN (SELECT value FROM json_each(?))", streams);
    db.write("DELETE FROM events WHERE stream IN (SELECT value FROM json_each(?))", streams);
    removed += page.length;
  }
  for (const table of ["members", "receipts"]) db.write(`DELETE FROM ${table} WHERE room = ?`, n);
  for (const table of ["account_data", "aliases", "reports", "backed_up_keys"])
    db.write(`DELETE FROM ${table} WHERE room = ?`, roomId);
  db.write("DELETE FROM rooms WHERE n = ?", n);
  db.flush();
  return removed;
}

/** Tables with rows owned by a user. */
const userTables = [
  "members",
  "receipts",
  "account_data",
  "filters",
  "pushers",
  "device_keys",
  "one_time_keys",
  "fallback_keys",
  "cross_signing_keys",
  "key_signatures",
  "device_list_changes",
  "key_notices",
  "key_backups",
  "backed_up_keys",
];

/** Deletes an account and all of its data. Its events in the remaining rooms are kept. */
export function purgeUser({ db, rooms, membership }: PurgeDeps, userId: string): void {
  const joined = db.all<{ id: string }>(
    "SELECT r.id FROM members m JOIN rooms r ON r.n = m.room WHERE m.user = ? AND m.membership = 'join'",
    userId,
  );
  for (const { id } of joined) membership.leave(rooms.get(id), userId);
  const devices = "SELECT n FROM devices WHERE user = ?";
  for (const table of ["to_device", "sent_to_device"])
    db.write(`DELETE FROM ${table} WHERE device IN (${devices})`, userId);
  for (const table of userTables) db.write(`DELETE FROM ${table} WHERE user = ?`, userId);
  db.write("DELETE FROM key_notices WHERE reader = ?", userId);
  db.write("DELETE FROM devices WHERE user = ?", userId);
  db.write("DELETE FROM users WHERE id = ?", userId);
}
