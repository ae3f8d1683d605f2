import { setImmediate as nextTurnOfLoop, setTimeout as pause } from "node:timers/promises";

/** How work that takes long shares with hooks the one thread that writes: they go first, and never wait long. */
export interface Pace {
  /** Lets everybody else have their turn, between two transactions. */
  giveWay(): Promise<void>;
  /** How long the next transaction may take. */
  sliceMs(): number;
}

/** A commit costs as much as a few milliseconds of work: short transactions only where hooks would feel long ones. */
const slice = { amongHooks: 3, alone: 30 };
/** After the last hook that was seen waiting: sessions at work have one every few seconds. */
const quietAfterMs = 5_000;

export function makePace(waitingHooks: () => number): Pace {
  let lastHookAt = Number.NEGATIVE_INFINITY;
  return {
    async giveWay() {
      await nextTurnOfLoop();
      while (waitingHooks() > 0) {
        lastHookAt = performance.now();
        await pause(1);
      }
    },
    sliceMs: () => (performance.now() - lastHookAt < quietAfterMs ? slice.amongHooks : slice.alone),
  };
}
