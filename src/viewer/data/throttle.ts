/** Runs the first call at once, then at most one per interval; the last call always runs. */
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
