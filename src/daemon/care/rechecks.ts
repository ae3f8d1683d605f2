import { type Clock, monotonicClock } from "../../shared/clock.ts";
import type { ForgetTarget } from "../../store/select-forgotten.ts";

/**
 * Texts that were deleted a moment ago. They are searched for again for a while, because a message that was being sent
 * may arrive after the deletion.
 */
export interface Rechecks {
  /** Records a deletion. `source` is the pattern to search for. */
  add(source: string, target: ForgetTarget): void;
  list(): [source: string, target: ForgetTarget][];
  /** Decides by the number of files that still contain the text. */
  judge(source: string, files: number): "wait" | "delete" | "give up";
  count(): number;
}

const maxDeletions = 5;
/** A message that was being sent arrives within this time, even on a busy machine. */
const watchMs = 20_000;

export function makeRechecks(steady: Clock = monotonicClock): Rechecks {
  const watched = new Map<string, { target: ForgetTarget; deletions: number; at: number }>();
  return {
    add(source, target) {
      const deletions = (watched.get(source)?.deletions ?? 0) + 1;
      watched.set(source, { target, deletions, at: steady() });
    },
    list: () => [...watched].map(([source, { target }]) => [source, target]),
    judge(source, files) {
      const { deletions, at } = watched.get(source) ?? { deletions: 0, at: -Infinity };
      if (files > 0 && deletions < maxDeletions) return "delete";
      if (files > 0 || steady() - at >= watchMs) watched.delete(source);
      return files > 0 ? "give up" : "wait";
    },
    count: () => watched.size,
  };
}
