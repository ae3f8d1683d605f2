import { setTimeout as pause } from "node:timers/promises";
import { backoffMs } from "../shared/backoff.ts";
import type { MatrixClient, PresenceState } from "./client.ts";
import { MatrixError } from "./request.ts";
import type { SyncAnswer } from "./sync-answer.ts";

export interface FollowOptions {
  client: Pick<MatrixClient, "sync">;
  /** Where the last one that was committed ended; undefined for the very first. */
  since: string | undefined;
  /** Commits what came together with the token: what was taken is never asked for again, what was not always is. */
  onAnswer(answer: SyncAnswer): void | Promise<void>;
  /** How it goes, for people: empty when all is well. */
  onHealth(trouble: string): void;
  presence(): PresenceState;
  /** From 0 to 1: spreads the pauses, so that many followers do not come back at once. */
  jitter(): number;
  signal: AbortSignal;
}

const waitMs = 30_000;
/** Longer than the server may wait. */
const pollTimeoutMs = 40_000;
/** The first answer holds everything; a large server takes its time over it. */
const firstTimeoutMs = 600_000;
const backoff = { firstMs: 1_000, maxMs: 30_000 };

/**
 * Listens until the signal ends it, or until the server says that this will never work (a token that is void): that is
 * thrown.
 */
export async function follow(options: FollowOptions): Promise<void> {
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
      const askedMs = error instanceof MatrixError ? (error.retryAfterMs ?? 0) : 0;
      const pauseMs = backoffMs(failures, backoff, { askedMs, random: jitter() });
      await pause(pauseMs, undefined, { signal }).catch(() => undefined); // Aborted: the loop ends.
    }
  }
}
