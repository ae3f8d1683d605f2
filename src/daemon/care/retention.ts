import type { RetentionState } from "../../protocol/status.ts";
import type { EventLimits, EventMeasure } from "../../store/events.ts";
import type { JobWorker } from "../runtime/job-worker.ts";
import { type SliceDeps, repeatUntilDone } from "../runtime/run-in-slices.ts";
import { dayMs } from "../../shared/clock.ts";
import type { DaemonContext } from "../runtime/context.ts";

export interface RetentionJobs {
  measureEvents(limits: EventLimits): EventMeasure;
}

/** Deletes raw events beyond the age or size limit, in the background. Notes made from them stay. */
export interface Retention {
  /** Runs now. Returns the number of deleted events. */
  run(): Promise<number>;
  state(): RetentionState;
  start(): void;
  stop(): void;
}

interface RetentionDeps extends SliceDeps, Pick<DaemonContext, "log" | "clock"> {
  worker: JobWorker<RetentionJobs>;
  settings: { eventDays: number; eventMegabytes: number };
}

const firstAfterMs = 5 * 60_000;
const everyMs = 3_600_000;
/** Rows per transaction: with indexes and overflow pages, this many take a few milliseconds. */
const batchSize = 50;

export function openRetention(deps: RetentionDeps): Retention {
  const { store, log, clock, worker, settings } = deps;
  const { eventDays, eventMegabytes } = settings;
  const state: RetentionState = {
    eventDays,
    eventMegabytes,
    eventBytes: null,
    oldestEventAt: null,
    removed: 0,
    ranAt: null,
  };
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<number> | undefined;

  async function removeOld(): Promise<number> {
    const limits: EventLimits = {
      before: eventDays === 0 ? 0 : clock() - eventDays * dayMs,
      maxBytes: eventMegabytes === 0 ? Number.MAX_SAFE_INTEGER : eventMegabytes * 1_000_000,
    };
    const { cutoff } = await worker.call.measureEvents(limits);
    let removed = 0;
    await repeatUntilDone(deps, () => {
      const count = store.db.transaction(() => store.events.removeBefore(cutoff, batchSize));
      removed += count;
      return count > 0;
    });
    const { bytes, oldestAt } = await worker.call.measureEvents(limits);
    Object.assign(state, { eventBytes: bytes, oldestEventAt: oldestAt, ranAt: clock() });
    state.removed += removed;
    if (removed === 0) return 0;
    log.info("old events removed", { removed });
    await repeatUntilDone(deps, () => store.upkeep.releasePages());
    return removed;
  }

  const retention: Retention = {
    run() {
      running ??= removeOld().finally(() => {
        running = undefined;
      });
      return running;
    },
    state: () => state,
    start() {
      const runAndSchedule = (): void => {
        retention.run().catch((error: unknown) => log.error("old events not removed", { error }));
        timer = setTimeout(runAndSchedule, everyMs).unref();
      };
      timer = setTimeout(runAndSchedule, firstAfterMs).unref();
    },
    stop: () => clearTimeout(timer),
  };
  return retention;
}
