import type { StoredEvent } from "../rules/event.ts";
import { type EventFilter, filterEvent } from "../rules/filter.ts";
import type { EventLog } from "./event-log.ts";
import type { Viewer } from "./history.ts";
import type { Room } from "./rooms.ts";
import type { TimelineBudget } from "./sync-budget.ts";

interface WindowQuery {
  after: number;
  upTo: number;
  limit: number;
  filter: EventFilter;
  budget: TimelineBudget;
}

export interface EventWindow {
  /** Oldest first. */
  events: StoredEvent[];
  /** There are earlier events in the range. */
  isLimited: boolean;
  /** The position before the first event. */
  start: number;
}

/**
 * The newest events of a range that the reader may see and the filter accepts. Served from memory if the range is recent.
 * Ends at a state change that the reader may not see: the state before the window then includes it, so that no change is
 * lost.
 */
export function readWindow(log: EventLog, room: Room, viewer: Viewer, query: WindowQuery): EventWindow {
  const { after, upTo, limit, filter, budget } = query;
  const found: StoredEvent[] = [];
  let isLimited = false;
  for (const event of newestFirst(log, room, after, upTo)) {
    if (!viewer.canSee(event)) {
      if (event.stateKey === undefined) continue;
      isLimited = true;
      break;
    }
    if (!filterEvent(filter, event)) continue;
    if (found.length === limit || !budget.take(event.bytes, found.length)) {
      isLimited = true;
      break;
    }
    found.push(event);
  }
  const events = found.toReversed();
  return { events, isLimited, start: events[0] ? events[0].stream - 1 : upTo };
}

const pageSize = 100;

function* newestFirst(log: EventLog, room: Room, after: number, upTo: number): Generator<StoredEvent> {
  let before = upTo;
  for (let i = room.recent.length - 1; i >= 0; i--) {
    const event = room.recent[i] as StoredEvent;
    if (event.stream > upTo) continue;
    if (event.stream <= after) return;
    yield event;
    before = event.stream - 1;
  }
  if (after >= room.recentFrom || room.recentFrom === 0) return;
  for (;;) {
    const page = log.range(room.n, { after, upTo: before, direction: "b", limit: pageSize });
    yield* page;
    if (page.length < pageSize) return;
    before = (page.at(-1) as StoredEvent).stream - 1;
  }
}
