import { makePace } from "./pace.ts";
import type { DaemonContext } from "./context.ts";

export type SliceDeps = Pick<DaemonContext, "store" | "waitingHooks">;

/** Applies the function to every item in short transactions, and yields to other work between them. */
export async function runInSlices<T>(
  { store, waitingHooks }: SliceDeps,
  items: Iterable<T>,
  work: (item: T) => void,
): Promise<void> {
  const pace = makePace(waitingHooks);
  const source = items[Symbol.iterator]();
  let next = source.next();
  while (!next.done) {
    await pace.yieldToHooks();
    store.db.transaction(() => {
      const until = performance.now() + pace.sliceMs();
      do {
        work(next.value as T);
        next = source.next();
      } while (!next.done && performance.now() < until);
    });
  }
}

/** Repeats a short step until it returns false. */
export async function repeatUntilDone(
  { waitingHooks }: Pick<SliceDeps, "waitingHooks">,
  step: (isFirst: boolean) => boolean,
): Promise<void> {
  const pace = makePace(waitingHooks);
  for (let isFirst = true; ; isFirst = false) {
    await pace.yieldToHooks();
    if (!step(isFirst)) return;
  }
}
