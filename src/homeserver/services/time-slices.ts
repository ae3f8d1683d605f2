/** Interrupts long computations so that short requests are answered in between. */
export interface TimeSlices {
  /** Starts a computation. Call the result between its steps and await the promise, if it returns one. */
  begin(): () => Promise<void> | undefined;
}

const sliceMs = 2;

export function openTimeSlices(): TimeSlices {
  const waiting = new Map<number, () => void>();
  let begun = 0;

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

  return {
    begin() {
      const order = begun++;
      let startedAt = performance.now();
      return () => {
        if (performance.now() - startedAt < sliceMs) return undefined;
        return new Promise<void>((resolve) => {
          waiting.set(order, () => {
            startedAt = performance.now();
            resolve();
          });
          if (waiting.size === 1) setImmediate(resumeOldest);
        });
      };
    },
  };
}
