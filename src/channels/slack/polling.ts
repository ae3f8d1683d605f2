import { maxTimerMs } from "../../shared/backoff.ts";
import type { Log } from "../../shared/log.ts";
import { ChannelError } from "../channel.ts";

/** Asks again and again, while there is something to ask for. */
export interface Polling {
  /** There may be something to ask for: the next round comes no later than this. */
  wake(withinMs?: number): void;
  stop(): void;
}

export interface PollingOptions {
  isNeeded(): boolean;
  /** One round; says whether there was news. */
  round(): Promise<boolean>;
  log: Log;
  firstMs: number;
  longestMs: number;
}

/** Slower and slower while nothing comes, with jitter, and never before Slack allows it. */
export function openPolling(options: PollingOptions): Polling {
  const { isNeeded, round, log, firstMs, longestMs } = options;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let notBefore = 0;
  let waitMs = firstMs;
  let isBusy = false;
  let isStopped = false;

  function schedule(afterMs: number): void {
    if (isStopped || isBusy || !isNeeded()) return;
    const now = performance.now();
    const next = Math.max(now + afterMs, notBefore);
    if (next >= dueAt) return;
    clearTimeout(timer);
    dueAt = next;
    timer = setTimeout(() => void run(), Math.min(next - now, maxTimerMs));
  }

  async function run(): Promise<void> {
    isBusy = true;
    dueAt = Number.POSITIVE_INFINITY;
    try {
      waitMs = (await round()) ? firstMs : Math.min(waitMs * 1.5, longestMs);
    } catch (error) {
      waitMs = longestMs;
      if (error instanceof ChannelError) notBefore = performance.now() + error.afterMs;
      log.debug("slack: could not look for replies", { error });
    }
    isBusy = false;
    schedule(waitMs * (0.8 + Math.random() * 0.4));
  }

  return {
    wake(withinMs = firstMs) {
      waitMs = firstMs;
      schedule(withinMs);
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
