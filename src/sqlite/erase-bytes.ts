import { setTimeout as pause } from "node:timers/promises";
import type { Upkeep } from "./upkeep.ts";

export interface Erased {
  /** Pages in whose unused part something lay. */
  pages: number;
  /** False where somebody read the database all the while: bytes may be left. */
  isWhole: boolean;
}

const defaultPatience = { attempts: 50, betweenMs: 100 };

/**
 * The rows are gone; now the bytes: of the search index, of the log, and of the unused parts of pages. In short steps,
 * between which `giveWay` lets others have their turn.
 */
export async function eraseBytes(
  upkeep: Upkeep,
  giveWay: () => Promise<void>,
  patience = defaultPatience,
): Promise<Erased> {
  for (let isFirst = true; upkeep.mergeIndex(isFirst); isFirst = false) await giveWay();
  let pages = 0;
  let attempts = 0;
  for (let upTo: number | undefined; upTo !== 0; ) {
    await giveWay();
    const step = upkeep.scrub(upTo);
    if (step) {
      pages += step.scrubbed;
      upTo = step.next;
    } else {
      if (++attempts > patience.attempts) return { pages, isWhole: false };
      await pause(patience.betweenMs); // A reader is done in a moment.
    }
  }
  await upkeep.sync();
  return { pages, isWhole: true };
}
