import type { EventLog } from "./event-log.ts";
import type { Ledger } from "./ledger.ts";
import type { Room } from "./rooms.ts";

/** A send that is repeated is the send that was: by device, room, type and the client's transaction id. */
export interface Transactions {
  find(room: Room, type: string, device: number, txn: string): string | undefined;
  note(room: Room, type: string, device: number, txn: string, eventId: string): void;
}

const mostRemembered = 20_000;

export function openTransactions(ledger: Ledger, log: EventLog): Transactions {
  const remembered = new Map<string, string>();
  ledger.onLost(() => remembered.clear());

  const keyOf = (room: Room, type: string, device: number, txn: string): string =>
    `${device}\0${room.n}\0${type}\0${txn}`;

  return {
    find(room, type, device, txn) {
      return remembered.get(keyOf(room, type, device, txn)) ?? log.byTxn(room.n, type, device, txn);
    },
    note(room, type, device, txn, eventId) {
      if (remembered.size >= mostRemembered) remembered.delete(remembered.keys().next().value ?? "");
      remembered.set(keyOf(room, type, device, txn), eventId);
    },
  };
}
