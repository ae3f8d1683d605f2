import { parseJson } from "../../shared/json.ts";
import { refuse } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { PollWaker } from "./poll-waker.ts";

interface AccountDatum {
  type: string;
  content: JsonObject;
  stream: number;
  bytes: number;
}

/** Per user. All of it is in memory, and sent in an initial sync. */
const maxBytes = 8_000_000;

/** The table `account_data`: client data of the account (`roomId` "") or of one of its rooms. */
export interface AccountData {
  get(userId: string, roomId: string, type: string): JsonObject | undefined;
  /** `M_TOO_LARGE` if the user's data would exceed the limit. */
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
  /** Bytes by user. */
  const held = new Map<string, number>();
  db.onInvalidate(() => known.clear());

  function load(userId: string, roomId: string): Map<string, AccountDatum> {
    let rooms = known.get(userId);
    if (!rooms) {
      rooms = new Map();
      known.set(userId, rooms);
      let sum = 0;
      for (const row of db.all<{ room: string; type: string; content: string; stream: number }>(
        "SELECT room, type, content, stream FROM account_data WHERE user = ?",
        userId,
      )) {
        const { type, stream } = row;
        const content = parseJson(row.content) as JsonObject;
        const bytes = measure(type, row.content);
        sum += bytes;
        entry(rooms, row.room).set(type, { type, content, stream, bytes });
      }
      held.set(userId, sum);
    }
    return entry(rooms, roomId);
  }

  return {
    get: (userId, roomId, type) => load(userId, roomId).get(type)?.content,
    set(userId, roomId, type, content) {
      const text = JSON.stringify(content);
      const data = load(userId, roomId);
      const bytes = measure(type, text);
      const before = data.get(type)?.bytes ?? 0;
      const total = (held.get(userId) ?? 0) + bytes - before;
      // Data from before there was a limit can still be made smaller.
      if (total > maxBytes && bytes > before)
        refuse("M_TOO_LARGE", `Your account data must not exceed ${maxBytes} bytes.`);
      held.set(userId, total);
      const stream = db.nextPosition();
      data.set(type, { type, content, stream, bytes });
      db.write(
        "INSERT OR REPLACE INTO account_data (user, room, type, content, stream) VALUES (?, ?, ?, ?, ?)",
        userId,
        roomId,
        type,
        text,
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
      for (const { bytes } of load(userId, roomId).values())
        held.set(userId, (held.get(userId) ?? 0) - bytes);
      known.get(userId)?.delete(roomId);
      db.write("DELETE FROM account_data WHERE user = ? AND room = ?", userId, roomId);
    },
  };
}

/** An empty value has a cost, too. */
function measure(type: string, text: string): number {
  return type.length + text.length + 100;
}

function entry<K, V>(rooms: Map<string, Map<K, V>>, key: string): Map<K, V> {
  let inner = rooms.get(key);
  if (!inner) {
    inner = new Map();
    rooms.set(key, inner);
  }
  return inner;
}
