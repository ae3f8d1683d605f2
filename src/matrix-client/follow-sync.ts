import { setTimeout as pause } from "node:timers/promises";
import { backoffMs } from "../shared/backoff.ts";
import type { MatrixClient, PresenceState } from "./client.ts";
import { MatrixError } from "./request.ts";
import type { SyncResponse } from "./sync-response.ts";

interface FollowOptions {
  client: Pick<MatrixClient, "sync">;
  /** The end of the last committed answer; undefined for the first sync. */
  since: string | undefined;
  /** Commits the events together with the token, so that committed events are never fetched again and others always are. */
  onAnswer(answer: SyncResponse): void | Promise<void>;
  /** Reports a problem in plain words; an empty text means that there is none. */
  onHealth(trouble: string): void;
  presence(): PresenceState;
  /** From 0 to 1: randomises the pauses, so that many clients do not reconnect at once. */
  jitter(): number;
  signal: AbortSignal;
}

const waitMs = 30_000;
/** Longer than the server's own wait. */
const pollTimeoutMs = 40_000;
/** The first answer contains everything, which can take a large server a while. */
const firstTimeoutMs = 600_000;
const backoff = { firstMs: 1_000, maxMs: 30_000 };

/** Syncs until the signal aborts. Throws if the server reports a permanent failure, such as an invalid token. */
export async function followSync(options: FollowOptions): Promise<void> {
  const { client, onAnswer, onHealth, presence, jitter, signal } = options;
  let since = options.since;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const timeoutMs = since === undefined ? firstTimeoutMs : pollTimeoutMs;
      const answer = await client.sync({
        since,
        waitMs: since === undefined ? 0 : waitMs,
        timeoutMs,
        presence: presence(),
        signal,
      });
      await onAnswer(answer);
      since = answer.next_batch;
      failures = 0;
      onHealth("");
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof MatrixError && error.retryAfterMs === undefined) throw error;
      onHealth((error as Error).message);
      failures += 1;
      const retryAfterMs = error instanceof MatrixError ? (error.retryAfterMs ?? 0) : 0;
      const pauseMs = backoffMs(failures, backoff, { retryAfterMs, random: jitter() });
      await pause(pauseMs, undefined, { signal }).catch(() => undefined); // Aborted: the loop ends.
    }
  }
}
