/** At once, and then at most once in so many milliseconds; the last call is never lost. */
export function throttle(work: () => void, quietMs: number): () => void {
  let readyAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = (): void => {
    timer = undefined;
    readyAt = Date.now() + quietMs;
    work();
  };
  return () => {
    if (timer !== undefined) return;
    const wait = readyAt - Date.now();
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  };
}
