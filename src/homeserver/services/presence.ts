import { monotonicClock } from "../../shared/clock.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { Members } from "./members.ts";
import type { PollWaker } from "./poll-waker.ts";

export type PresenceState = "online" | "unavailable" | "offline";

export interface UserPresence {
  userId: string;
  state: PresenceState;
  statusMsg: string | undefined;
  /** By the monotonic clock. */
  activeAt: number;
  changedAt: number;
}

/** User presence, in memory only. A user whose clients stop syncing becomes offline. */
export interface Presence {
  set(userId: string, state: PresenceState, statusMsg?: string): void;
  /** Called on every sync; keeps the user in this state until the timeout. */
  touch(userId: string, state: PresenceState): void;
  get(userId: string): UserPresence | undefined;
  /** The given users that changed after a position. */
  since(userIds: Iterable<string>, after: number): UserPresence[];
  changedAt(): number;
  close(): void;
}

const offlineAfterMs = 60_000;

export function openPresence(deps: { db: BatchedDatabase; waker: PollWaker; members: Members }): Presence {
  const { db, waker, members } = deps;
  const users = new Map<string, UserPresence>();
  let changedAt = 0;

  function update(userId: string, state: PresenceState, statusMsg: string | undefined): void {
    changedAt = db.nextPosition();
    users.set(userId, { userId, state, statusMsg, activeAt: monotonicClock(), changedAt });
    db.afterCommit(() => waker.wakeWhere((other) => members.shareRoom(userId, other)));
  }

  function expireInactive(): void {
    const limit = monotonicClock() - offlineAfterMs;
    for (const user of users.values())
      if (user.state !== "offline" && user.activeAt < limit) update(user.userId, "offline", user.statusMsg);
  }
  const timer = setInterval(expireInactive, offlineAfterMs / 4).unref();

  return {
    set(userId, state, statusMsg) {
      const before = users.get(userId);
      if (before?.state === state && before.statusMsg === statusMsg) before.activeAt = monotonicClock();
      else update(userId, state, statusMsg);
    },
    touch(userId, state) {
      const before = users.get(userId);
      if (before?.state === state) before.activeAt = monotonicClock();
      else if (before || state !== "offline") update(userId, state, before?.statusMsg);
    },
    get: (userId) => users.get(userId),
    since(userIds, after) {
      const changed: UserPresence[] = [];
      for (const userId of userIds) {
        const user = users.get(userId);
        if (user && user.changedAt > after) changed.push(user);
      }
      return changed;
    },
    changedAt: () => changedAt,
    close: () => clearInterval(timer),
  };
}
