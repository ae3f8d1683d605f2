import { setImmediate as nextTurnOfLoop, setTimeout as pause } from "node:timers/promises";
import type { Store } from "../../store/open-store.ts";

export interface SliceDeps {
  store: Store;
  /** Hooks that wait for an answer: they go first. */
  waitingHooks(): number;
}

/** A transaction of background work ends after this, so that a hook never waits behind a long one. */
const sliceMs = 3;

/** Does something to every item, in short transactions between which everybody else has a turn. */
export async function inSlices<T>(
  { store, waitingHooks }: SliceDeps,
  items: Iterable<T>,
  work: (item: T) => void,
): Promise<void> {
  const source = items[Symbol.iterator]();
  let next = source.next();
  while (!next.done) {
    await yieldToHooks(waitingHooks);
    store.db.transaction(() => {
      const until = performance.now() + sliceMs;
      do {
        work(next.value as T);
        next = source.next();
      } while (!next.done && performance.now() < until);
    });
  }
}

/** Repeats a short step until it says that there is no more to do. */
export async function untilDone(
  { waitingHooks }: Pick<SliceDeps, "waitingHooks">,
  step: (isFirst: boolean) => boolean,
): Promise<void> {
  for (let isFirst = true; ; isFirst = false) {
    await yieldToHooks(waitingHooks);
    if (!step(isFirst)) return;
  }
}

async function yieldToHooks(waitingHooks: () => number): Promise<void> {
  await nextTurnOfLoop();
  while (waitingHooks() > 0) await pause(1);
}
