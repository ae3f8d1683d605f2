import type { Clock } from "../../shared/clock.ts";
import { limitExceeded } from "../errors.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { OnDisconnect, PollWaker } from "./poll-waker.ts";
import type { ReadQueue } from "./read-queue.ts";

/** A response, with the data that decides whether to wait for another one. */
export interface PollResult<T> {
  answer: T;
  isEmpty: boolean;
  /** The position at which it was built. */
  upTo: number;
}

interface Poll {
  userId: string;
  timeoutMs: number;
  onDisconnect: OnDisconnect;
}

/** Returns the response as soon as it is not empty, or after the timeout. `M_LIMIT_EXCEEDED` while too many polls wait. */
export type LongPoll = <T>(poll: Poll, build: () => Promise<PollResult<T>>) => Promise<T>;

interface LongPollDeps {
  db: BatchedDatabase;
  waker: PollWaker;
  reads: ReadQueue;
  clock: Clock;
  /** Maximum concurrent long polls, in total and per user. */
  limits: { waiting: number; waitingPerUser: number };
}

const retryAfterMs = 5_000;

export function makeLongPoll({ db, waker, reads, clock, limits }: LongPollDeps): LongPoll {
  return async ({ userId, timeoutMs, onDisconnect }, buildNow) => {
    const build = (): ReturnType<typeof buildNow> => reads.run(userId, buildNow);
    const deadline = clock() + timeoutMs;
    for (;;) {
      const { answer, isEmpty, upTo } = await build();
      const left = deadline - clock();
      if (!isEmpty || left <= 0) return answer;
      if (waker.countWaiting() >= limits.waiting || waker.countWaiting(userId) >= limits.waitingPerUser)
        throw limitExceeded(retryAfterMs);
      // An event that was added during the build did not wake this request.
      if (db.position() > upTo) continue;
      const isWoken = await waker.wait(userId, left, onDisconnect);
      if (!isWoken) return (await build()).answer;
    }
  };
}
