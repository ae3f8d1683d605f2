import { refuse } from "../errors.ts";
import type { StoredEvent } from "../rules/event.ts";

/** Limits the size of one sync: its rooms and events would not fit in memory otherwise. */
export interface SyncBudget {
  timeline: TimelineBudget;
  /** `M_TOO_LARGE` if the state of all rooms is too large; unlike a timeline it cannot be shortened. */
  addState(events: readonly StoredEvent[]): void;
}

export interface TimelineBudget {
  /** Whether a timeline may have another event; the first is always allowed. The others can be paged to. */
  take(bytes: number, already: number): boolean;
}

const maxTimelineBytes = 32_000_000;
const maxStateBytes = 128_000_000;

export function openSyncBudget(): SyncBudget {
  let timelineBytes = 0;
  let stateBytes = 0;
  return {
    timeline: {
      take(bytes, already) {
        if (already > 0 && timelineBytes + bytes > maxTimelineBytes) return false;
        timelineBytes += bytes;
        return true;
      },
    },
    addState(events) {
      for (const { bytes } of events) stateBytes += bytes;
      if (stateBytes > maxStateBytes)
        refuse("M_TOO_LARGE", "The state of your rooms is too large for a sync. Leave some of them.");
    },
  };
}
