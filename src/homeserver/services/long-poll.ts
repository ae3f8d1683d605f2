import type { Clock } from "../../shared/clock.ts";
import { limitExceeded } from "../errors.ts";
import type { Ledger } from "./ledger.ts";
import type { OnDisconnect, Wake } from "./wake.ts";

/** A response, with the data that decides whether to wait for another one. */
export interface Built<T> {
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
export type LongPoll = <T>(poll: Poll, build: () => Promise<Built<T>>) => Promise<T>;

interface LongPollDeps {
  ledger: Ledger;
  wake: Wake;
  clock: Clock;
  /** Maximum concurrent long polls, in total and per user. */
  limits: { waiting: number; waitingPerUser: number };
}

const retryAfterMs = 5_000;

export function makeLongPoll({ ledger, wake, clock, limits }: LongPollDeps): LongPoll {
  return async ({ userId, timeoutMs, onDisconnect }, build) => {
    const deadline = clock() + timeoutMs;
    for (;;) {
      const { answer, isEmpty, upTo } = await build();
      const left = deadline - clock();
      if (!isEmpty || left <= 0) return answer;
      if (wake.waiting() >= limits.waiting || wake.waiting(userId) >= limits.waitingPerUser)
        throw limitExceeded(retryAfterMs);
      // An event that was added during the build did not wake this request.
      if (ledger.position() > upTo) continue;
      const isWoken = await wake.wait(userId, left, onDisconnect);
      if (!isWoken) return (await build()).answer;
    }
  };
}
