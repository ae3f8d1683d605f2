/** Interrupts long computations so that short requests are answered in between. */
export interface TimeSlices {
  /**
   * Starts a computation. Call the result between its steps and await the promise, if it returns one. One that is
   * `urgent`, because it ends a request and frees its memory, goes before the others.
   */
  begin(priority?: "urgent"): () => Promise<void> | undefined;
}

const sliceMs = 2;
/** The first slices of computations that begin in the same turn of the event loop add up. */
const minFirstSliceMs = 0.5;
const urgentFirst = 2 ** 50;

export function openTimeSlices(now = (): number => performance.now()): TimeSlices {
  const waiting = new Map<number, () => void>();
  let begun = 0;
  let begunInTurn = 0;

  /**
   * Continues one computation per turn of the event loop, so that many of them block it no longer than one. The oldest
   * goes first, so that they do not all finish at the same time.
   */
  function resumeOldest(): void {
    const oldest = Math.min(...waiting.keys());
    const resume = waiting.get(oldest);
    waiting.delete(oldest);
    resume?.();
    if (waiting.size > 0) setImmediate(resumeOldest);
  }

  function takeFirstSlice(): number {
    if (begunInTurn === 0) setImmediate(() => (begunInTurn = 0));
    return Math.max(sliceMs / ++begunInTurn, minFirstSliceMs);
  }

  return {
    begin(priority) {
      const order = begun++ - (priority === "urgent" ? urgentFirst : 0);
      let limitMs = takeFirstSlice();
      let startedAt = now();
      return () => {
        if (now() - startedAt < limitMs) return undefined;
        return new Promise<void>((resolve) => {
          waiting.set(order, () => {
            startedAt = now();
            limitMs = sliceMs;
            resolve();
          });
          if (waiting.size === 1) setImmediate(resumeOldest);
        });
      };
    },
  };
}
