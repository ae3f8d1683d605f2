import type { Database } from "../sqlite/sqlite.ts";
import { openRowTable } from "./row-table.ts";

export interface RoomRow {
  id: string;
  kind: "project" | "direct" | "group";
  key: string;
  name: string;
  keepDays: number | null;
  createdAt: number;
}

export interface RoomTable {
  /** Replaces a room with the same key: the homeserver may have changed. */
  put(room: RoomRow): void;
  byId(id: string): RoomRow | undefined;
  byKey(key: string): RoomRow | undefined;
  all(): RoomRow[];
  /** Whether another shared room has the same name. */
  sharesName(room: RoomRow): boolean;
  setKeepDays(id: string, days: number | null): void;
  isMuted(id: string): boolean;
  setMuted(id: string, isMuted: boolean): void;
  remove(id: string): void;
  cursor(userId: string): string | undefined;
  setCursor(userId: string, since: string): void;
  removeCursor(userId: string): void;
}

const replace =
  "ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, key = excluded.key, name = excluded.name";

export function openRoomTable(db: Database, origin: string): RoomTable {
  const table = openRowTable<RoomRow>(db, "rooms", "id, kind, key, name, keep_days, created_at");
  const { select } = table;
  return {
    put(room) {
      db.run("DELETE FROM rooms WHERE key = ? AND id <> ?", room.key, room.id);
      table.insert(room, { origin }, replace);
    },
    byId: (id) => db.get<RoomRow>(`${select} WHERE id = ?`, id),
    byKey: (key) => db.get<RoomRow>(`${select} WHERE key = ?`, key),
    all: () => db.all<RoomRow>(`${select} ORDER BY kind, name`),
    sharesName: ({ id, name, kind }) =>
      kind !== "direct" &&
      db.get("SELECT 1 FROM rooms WHERE name = ? AND id <> ? AND kind <> 'direct'", name, id) !== undefined,
    setKeepDays(id, days) {
      db.run("UPDATE rooms SET keep_days = ? WHERE id = ?", days, id);
    },
    isMuted: (id) => db.get("SELECT 1 FROM rooms WHERE id = ? AND is_muted = 1", id) !== undefined,
    setMuted(id, isMuted) {
      db.run("UPDATE rooms SET is_muted = ? WHERE id = ?", Number(isMuted), id);
    },
    remove(id) {
      db.run("DELETE FROM rooms WHERE id = ?", id);
    },
    cursor: (userId) =>
      db.get<{ since: string }>("SELECT since FROM mail_cursors WHERE user_id = ?", userId)?.since,
    setCursor(userId, since) {
      db.run(
        "INSERT INTO mail_cursors (user_id, since) VALUES (?, ?) ON CONFLICT (user_id) DO UPDATE SET since = excluded.since",
        userId,
        since,
      );
    },
    removeCursor(userId) {
      db.run("DELETE FROM mail_cursors WHERE user_id = ?", userId);
    },
  };
}
