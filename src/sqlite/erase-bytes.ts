import { setTimeout as pause } from "node:timers/promises";
import type { Upkeep } from "./upkeep.ts";

interface EraseResult {
  /** Pages whose unused part held leftover data. */
  pages: number;
  /** False if readers kept the database busy throughout: some bytes may remain. */
  isComplete: boolean;
}

const defaultPatience = { attempts: 50, betweenMs: 100 };

/**
 * Erases the bytes of deleted rows from the search index, the WAL and the unused parts of pages. Works in short steps
 * and awaits `yieldControl` between them, so that other work can run.
 */
export async function eraseBytes(
  upkeep: Upkeep,
  yieldControl: () => Promise<void>,
  patience = defaultPatience,
): Promise<EraseResult> {
  for (let isFirst = true; upkeep.mergeIndex(isFirst); isFirst = false) await yieldControl();
  let pages = 0;
  let attempts = 0;
  for (let upTo: number | undefined; upTo !== 0; ) {
    await yieldControl();
    const step = upkeep.scrub(upTo);
    if (step) {
      pages += step.scrubbed;
      upTo = step.next;
    } else {
      if (++attempts > patience.attempts) return { pages, isComplete: false };
      await pause(patience.betweenMs); // Readers finish within moments.
    }
  }
  await upkeep.sync();
  return { pages, isComplete: true };
}
