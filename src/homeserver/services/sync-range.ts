import type { SyncFilter } from "../rules/filter.ts";
import type { Session } from "./sessions.ts";
import type { SyncBudget } from "./sync-budget.ts";

/** One sync of one device. `since` 0 is an initial sync. */
export interface SyncRange {
  session: Session;
  since: number;
  upTo: number;
  isFull: boolean;
  /** Return the state after the timeline (`state_after`) instead of the state before it. */
  isStateAfter: boolean;
  filter: SyncFilter;
  budget: SyncBudget;
}
