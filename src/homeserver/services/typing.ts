import type { BatchedDatabase } from "./batched-database.ts";
import type { Room } from "./rooms.ts";
import type { PollWaker } from "./poll-waker.ts";

/** Typing notifications, in memory only. */
export interface Typing {
  start(room: Room, userId: string, timeoutMs: number): void;
  stop(room: Room, userId: string): void;
  in(room: Room): { userIds: string[]; changedAt: number };
  close(): void;
}

export function openTyping(db: BatchedDatabase, waker: PollWaker): Typing {
  const rooms = new Map<string, { timers: Map<string, NodeJS.Timeout>; changedAt: number }>();

  function load(room: Room): { timers: Map<string, NodeJS.Timeout>; changedAt: number } {
    const loaded = rooms.get(room.id) ?? { timers: new Map(), changedAt: 0 };
    rooms.set(room.id, loaded);
    return loaded;
  }

  function onChanged(room: Room): void {
    load(room).changedAt = db.nextPosition();
    db.afterCommit(() => waker.wake(room.joined));
  }

  function stop(room: Room, userId: string): void {
    const { timers } = load(room);
    const timer = timers.get(userId);
    if (!timer) return;
    clearTimeout(timer);
    timers.delete(userId);
    onChanged(room);
  }

  return {
    start(room, userId, timeoutMs) {
      const { timers } = load(room);
      const before = timers.get(userId);
      clearTimeout(before);
      timers.set(userId, setTimeout(stop, timeoutMs, room, userId).unref());
      if (!before) onChanged(room);
    },
    stop,
    in(room) {
      const { timers, changedAt } = rooms.get(room.id) ?? {
        timers: new Map<string, unknown>(),
        changedAt: 0,
      };
      return { userIds: [...timers.keys()].filter((userId) => room.joined.has(userId)), changedAt };
    },
    close() {
      for (const { timers } of rooms.values()) for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
