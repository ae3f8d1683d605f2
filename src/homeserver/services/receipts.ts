import type { Clock } from "../../shared/clock.ts";
import type { StoredEvent } from "../rules/event.ts";
import type { ShownReceipt } from "../rules/receipt-events.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { Room } from "./rooms.ts";
import type { PollWaker } from "./poll-waker.ts";

interface Receipt extends ShownReceipt {
  eventStream: number;
  stream: number;
}

/** The table `receipts`: read receipts per room, user and thread. */
export interface Receipts {
  /** False if a receipt at this event or a later one exists. */
  record(room: Room, userId: string, type: string, thread: string, event: StoredEvent): boolean;
  since(room: Room, after: number): Receipt[];
  changedAt(room: Room): number;
  of(room: Room, userId: string): Receipt[];
}

export function openReceipts(db: BatchedDatabase, waker: PollWaker, clock: Clock): Receipts {
  const known = new Map<number, { receipts: Map<string, Receipt>; changedAt: number }>();
  db.onInvalidate(() => known.clear());

  function load(room: Room): { receipts: Map<string, Receipt>; changedAt: number } {
    let loaded = known.get(room.n);
    if (!loaded) {
      const rows = db.all<Receipt>(
        `SELECT user AS userId, type, thread, event AS eventId, event_stream AS eventStream, sent_at AS sentAt, stream
         FROM receipts WHERE room = ?`,
        room.n,
      );
      loaded = {
        receipts: new Map(rows.map((row) => [keyOf(row.userId, row.type, row.thread), row])),
        changedAt: rows.reduce((latest, { stream }) => Math.max(latest, stream), 0),
      };
      known.set(room.n, loaded);
    }
    return loaded;
  }

  return {
    record(room, userId, type, thread, event) {
      const loaded = load(room);
      const key = keyOf(userId, type, thread);
      if ((loaded.receipts.get(key)?.eventStream ?? -1) >= event.stream) return false;
      const receipt: Receipt = {
        userId,
        type,
        thread,
        eventId: event.id,
        eventStream: event.stream,
        sentAt: clock(),
        stream: db.nextPosition(),
      };
      loaded.receipts.set(key, receipt);
      loaded.changedAt = receipt.stream;
      db.write(
        `INSERT OR REPLACE INTO receipts (room, user, type, thread, event, event_stream, sent_at, stream)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        room.n,
        userId,
        type,
        thread,
        event.id,
        event.stream,
        receipt.sentAt,
        receipt.stream,
      );
      db.afterCommit(() => waker.wake(type === "m.read.private" ? [userId] : room.joined));
      return true;
    },
    since: (room, after) => [...load(room).receipts.values()].filter(({ stream }) => stream > after),
    changedAt: (room) => load(room).changedAt,
    of: (room, userId) => [...load(room).receipts.values()].filter((receipt) => receipt.userId === userId),
  };
}

function keyOf(userId: string, type: string, thread: string): string {
  return `${userId}\0${type}\0${thread}`;
}
