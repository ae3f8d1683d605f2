import type { Store } from "../../store/open-store.ts";

/** How far the person has read each room, by whatever of ours they read it with. */
export interface ReadMarks {
  /** 0 for a room that was never opened. */
  of(roomId: string): number;
  /** Never back. False where it was read that far before. */
  set(roomId: string, at: number): boolean;
}

const key = "mail.read";

export function openReadMarks(store: Store): ReadMarks {
  const marks = new Map(Object.entries(JSON.parse(store.meta.get(key) ?? "{}") as Record<string, number>));
  const of = (roomId: string): number => marks.get(roomId) ?? 0;
  return {
    of,
    set(roomId, at) {
      if (at <= of(roomId)) return false;
      marks.set(roomId, at);
      for (const id of marks.keys()) if (!store.rooms.byId(id)) marks.delete(id);
      store.meta.set(key, JSON.stringify(Object.fromEntries(marks)));
      return true;
    },
  };
}
