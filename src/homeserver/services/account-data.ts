import { parseJson } from "../../shared/json.ts";
import type { JsonObject } from "../json.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { PollWaker } from "./poll-waker.ts";

interface AccountDatum {
  type: string;
  content: JsonObject;
  stream: number;
}

/** The table `account_data`: client data of the account (`roomId` "") or of one of its rooms. */
export interface AccountData {
  get(userId: string, roomId: string, type: string): JsonObject | undefined;
  set(userId: string, roomId: string, type: string, content: JsonObject): void;
  /** The data of an account or room that changed after a position. */
  since(userId: string, roomId: string, after: number): AccountDatum[];
  /** The position of the latest change. */
  changedAt(userId: string, roomId: string): number;
  remove(userId: string, roomId: string): void;
}

export function openAccountData(db: BatchedDatabase, waker: PollWaker): AccountData {
  /** By user, by room, by type. */
  const known = new Map<string, Map<string, Map<string, AccountDatum>>>();
  db.onInvalidate(() => known.clear());

  function load(userId: string, roomId: string): Map<string, AccountDatum> {
    let rooms = known.get(userId);
    if (!rooms) {
      rooms = new Map();
      known.set(userId, rooms);
      for (const row of db.all<{ room: string; type: string; content: string; stream: number }>(
        "SELECT room, type, content, stream FROM account_data WHERE user = ?",
        userId,
      )) {
        const { type, stream } = row;
        const content = parseJson(row.content) as JsonObject;
        entry(rooms, row.room).set(type, { type, content, stream });
      }
    }
    return entry(rooms, roomId);
  }

  return {
    get: (userId, roomId, type) => load(userId, roomId).get(type)?.content,
    set(userId, roomId, type, content) {
      const stream = db.nextPosition();
      load(userId, roomId).set(type, { type, content, stream });
      db.write(
        "INSERT OR REPLACE INTO account_data (user, room, type, content, stream) VALUES (?, ?, ?, ?, ?)",
        userId,
        roomId,
        type,
        JSON.stringify(content),
        stream,
      );
      db.afterCommit(() => waker.wake([userId]));
    },
    since: (userId, roomId, after) =>
      [...load(userId, roomId).values()].filter(({ stream }) => stream > after),
    changedAt(userId, roomId) {
      let latest = 0;
      for (const { stream } of load(userId, roomId).values()) if (stream > latest) latest = stream;
      return latest;
    },
    remove(userId, roomId) {
      known.get(userId)?.delete(roomId);
      db.write("DELETE FROM account_data WHERE user = ? AND room = ?", userId, roomId);
    },
  };
}

function entry<K, V>(rooms: Map<string, Map<K, V>>, key: string): Map<K, V> {
  let inner = rooms.get(key);
  if (!inner) {
    inner = new Map();
    rooms.set(key, inner);
  }
  return inner;
}
