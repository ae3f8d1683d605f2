import { parseJson } from "../../shared/json.ts";
import type { Store } from "../../store/open-store.ts";

/**
 * How far the person has read each room. On our own homeserver it follows their receipts there, so that all clients and
 * the viewer agree.
 */
export interface ReadMarks {
  /** 0 for a room that was never opened. */
  get(roomId: string): number;
  /** Never moves back. False if it was already there. */
  set(roomId: string, at: number): boolean;
}

const key = "mail.read";

/** Holds no state in memory, so a mark set in a transaction is rolled back with it. */
export function makeReadMarks(store: Store): ReadMarks {
  const read = (): Record<string, number> => parseJson(store.meta.get(key) ?? "{}") as Record<string, number>;
  return {
    get: (roomId) => read()[roomId] ?? 0,
    set(roomId, at) {
      const marks = read();
      if (at <= (marks[roomId] ?? 0)) return false;
      const known = Object.entries({ ...marks, [roomId]: at }).filter(([id]) => store.rooms.byId(id));
      store.meta.set(key, JSON.stringify(Object.fromEntries(known)));
      return true;
    },
  };
}
