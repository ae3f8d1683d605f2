import type { SyncFilter } from "../rules/filter.ts";
import type { Session } from "./sessions.ts";

/** One sync of one device. `since` 0 is a first sync. */
export interface SyncTurn {
  session: Session;
  since: number;
  upTo: number;
  isFull: boolean;
  /** The reader wants the state as it is after the timeline, not as it was before. */
  isStateAfter: boolean;
  filter: SyncFilter;
}
