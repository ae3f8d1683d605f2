import { maxTimerMs } from "../../shared/backoff.ts";
import type { Log } from "../../shared/log.ts";
import { ChannelError } from "../channel.ts";

/** Polls while `isNeeded`. */
interface PollTimer {
  /** Schedules the next round within this time. */
  wake(withinMs?: number): void;
  stop(): void;
}

interface PollTimerOptions {
  isNeeded(): boolean;
  /** One round; true if it found something new. */
  round(): Promise<boolean>;
  log: Log;
  firstMs: number;
  maxMs: number;
}

/** The interval grows while nothing arrives, has jitter, and respects Slack's rate limits. */
export function openPollTimer(options: PollTimerOptions): PollTimer {
  const { isNeeded, round, log, firstMs, maxMs } = options;
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
      waitMs = (await round()) ? firstMs : Math.min(waitMs * 1.5, maxMs);
    } catch (error) {
      waitMs = maxMs;
      if (error instanceof ChannelError) notBefore = performance.now() + error.afterMs;
      log.debug("slack: could not poll for replies", { error });
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
