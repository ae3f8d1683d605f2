/** Registers a listener for the client's disconnect. Returns a function that removes it. */
export type OnDisconnect = (listener: () => void) => () => void;

/** Waiting long polls by user, woken when news for the user is committed. */
export interface PollWaker {
  /** Resolves with true when woken; with false after `timeoutMs` or when the client disconnects. */
  wait(userId: string, timeoutMs: number, onDisconnect: OnDisconnect): Promise<boolean>;
  wake(userIds: Iterable<string>): void;
  /** Wakes the waiting users that pass the test. */
  wakeWhere(test: (userId: string) => boolean): void;
  /** The number of waiting polls, in total or of one user. */
  countWaiting(userId?: string): number;
  /** Ends all polls at shutdown. */
  close(): void;
}

export function openPollWaker(): PollWaker {
  const waiters = new Map<string, Set<(woken: boolean) => void>>();
  let count = 0;
  let isClosed = false;

  return {
    wait(userId, timeoutMs, onDisconnect) {
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
          removeListener();
          resolve(woken);
        };
        const timer = setTimeout(done, timeoutMs, false);
        const removeListener = onDisconnect(() => done(false));
        mine.add(done);
      });
    },
    wake(userIds) {
      if (count === 0) return;
      for (const userId of userIds) for (const done of Array.from(waiters.get(userId) ?? [])) done(true);
    },
    wakeWhere(test) {
      for (const userId of Array.from(waiters.keys()))
        if (test(userId)) for (const done of Array.from(waiters.get(userId) ?? [])) done(true);
    },
    countWaiting: (userId) => (userId === undefined ? count : (waiters.get(userId)?.size ?? 0)),
    close() {
      isClosed = true;
      for (const mine of waiters.values()) for (const done of Array.from(mine)) done(false);
    },
  };
}
