import { limitExceeded } from "../errors.ts";

/** Runs a few large reads of each user at a time, so that many of them neither fill the memory nor block the others. */
export interface ReadQueue {
  /** `M_LIMIT_EXCEEDED` while too many of the user's reads wait. */
  run<T>(userId: string, read: () => Promise<T>): Promise<T>;
}

/** Two, so that one device's initial sync does not delay the other devices. */
const maxRunning = 2;
const maxWaiting = 256;
const retryAfterMs = 1_000;

export function openReadQueue(): ReadQueue {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>();
  return {
    async run(userId, read) {
      const queue = queues.get(userId) ?? { running: 0, waiting: [] };
      queues.set(userId, queue);
      if (queue.waiting.length >= maxWaiting) throw limitExceeded(retryAfterMs);
      // The slot is passed on, not released, so that no later read overtakes.
      if (queue.running < maxRunning) queue.running++;
      else await new Promise<void>((resolve) => queue.waiting.push(resolve));
      try {
        return await read();
      } finally {
        const next = queue.waiting.shift();
        if (next) next();
        else if (--queue.running === 0) queues.delete(userId);
      }
    },
  };
}
