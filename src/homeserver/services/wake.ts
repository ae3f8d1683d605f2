/** Calls back when the client has gone; what it returns takes the watch off again. */
export type OnGone = (listener: () => void) => () => void;

/** Whoever waits in a long poll, by user: woken when something for that user was committed. */
export interface Wake {
  /** Waits until woken or `timeoutMs` passed; `onGone` ends it too. False if nothing happened. */
  wait(userId: string, timeoutMs: number, onGone: OnGone): Promise<boolean>;
  users(userIds: Iterable<string>): void;
  /** How many wait, in all or of one user. */
  waiting(userId?: string): number;
  /** Lets everybody go: the server ends. */
  close(): void;
}

export function openWake(): Wake {
  const waiters = new Map<string, Set<(woken: boolean) => void>>();
  let count = 0;
  let isClosed = false;

  return {
    wait(userId, timeoutMs, onGone) {
      if (isClosed) return Promise.resolve(false);
      return new Promise((resolve) => {
        const mine = waiters.get(userId) ?? new Set();
        waiters.set(userId, mine);
        count++;
        const done = (woken: boolean): void => {
          if (!mine.delete(done)) return;
          count--;
          if (mine.size === 0 && waiters.get(userId) === mine) waiters.delete(userId);
          clearTimeout(timer);
          takeOff();
          resolve(woken);
        };
        const timer = setTimeout(done, timeoutMs, false);
        const takeOff = onGone(() => done(false));
        mine.add(done);
      });
    },
    users(userIds) {
      if (count === 0) return;
      for (const userId of userIds) for (const done of Array.from(waiters.get(userId) ?? [])) done(true);
    },
    waiting: (userId) => (userId === undefined ? count : (waiters.get(userId)?.size ?? 0)),
    close() {
      isClosed = true;
      for (const mine of waiters.values()) for (const done of Array.from(mine)) done(false);
    },
  };
}
