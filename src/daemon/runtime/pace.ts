import { setImmediate as nextTurnOfLoop, setTimeout as pause } from "node:timers/promises";

/** Lets long work share the only writing thread with hooks: hooks have priority and never wait long. */
export interface Pace {
  /** Waits, between two transactions, until no hook is waiting. */
  yieldToHooks(): Promise<void>;
  /** Time limit of the next transaction. */
  sliceMs(): number;
}

/** A commit costs as much as a few milliseconds of work, so transactions are only short while hooks are active. */
const slice = { amongHooks: 3, alone: 30 };
/** Hooks count as active for this long after the last one: active sessions send one every few seconds. */
const quietAfterMs = 5_000;

export function makePace(waitingHooks: () => number): Pace {
  let lastHookAt = Number.NEGATIVE_INFINITY;
  return {
    async yieldToHooks() {
      await nextTurnOfLoop();
      while (waitingHooks() > 0) {
        lastHookAt = performance.now();
        await pause(1);
      }
    },
    sliceMs: () => (performance.now() - lastHookAt < quietAfterMs ? slice.amongHooks : slice.alone),
  };
}
