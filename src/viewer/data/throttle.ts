/** At once, and then at most once in so many milliseconds; the last call is never lost. */
export function throttle(work: () => void, quietMs: number): () => void {
  let readyAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (): void => {
    timer = undefined;
    readyAt = performance.now() + quietMs;
    work();
  };
  return () => {
    if (timer !== undefined) return;
    const wait = readyAt - performance.now();
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  };
}
