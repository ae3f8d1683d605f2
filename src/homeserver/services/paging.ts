import type { JsonObject } from "../json.ts";
import type { StoredEvent } from "../rules/event.ts";
import { type EventFilter, filterEvent } from "../rules/filter.ts";
import { readRelation } from "../rules/relation.ts";
import type { Services } from "../services.ts";
import type { Viewer } from "./history.ts";
import type { Room } from "./rooms.ts";
import type { Session } from "./sessions.ts";

interface PageQuery {
  direction: "f" | "b";
  from: number | undefined;
  to: number | undefined;
  limit: number;
  filter: EventFilter;
}

interface Page {
  /** In the requested direction. */
  events: StoredEvent[];
  start: number;
  /** The position to continue from; undefined if nothing was found. */
  end: number | undefined;
}

const batchSize = 100;
/** A page may be shorter than requested, as many events may be large. */
const maxPageBytes = 4_000_000;

/**
 * Reads events from a position in either direction, limited to those that the reader may see and the filter accepts.
 * Other requests are answered in between: a filter may accept nothing in a long room.
 */
export async function readPage(
  { log, db, relations, timeSlices }: Services,
  room: Room,
  viewer: Viewer,
  query: PageQuery,
): Promise<Page> {
  const { direction, filter, limit } = query;
  const isForward = direction === "f";
  const last = db.position();
  const from = query.from ?? (isForward ? 0 : last);
  let [low, high] = isForward ? [from, query.to ?? last] : [query.to ?? 0, from];
  const wants = (event: StoredEvent): boolean =>
    filterEvent(filter, event) && viewer.canSee(event) && isRelated(event);

  function isRelated(event: StoredEvent): boolean {
    const { relatedByTypes, relatedBySenders } = filter;
    if (!relatedByTypes && !relatedBySenders) return true;
    const all = { after: 0, upTo: last, direction: "f" as const, limit: 1_000 };
    return relations
      .children(room, { parent: event.id, ...all })
      .some(
        ({ sender, content }) =>
          (!relatedBySenders || relatedBySenders.includes(sender)) &&
          (!relatedByTypes || relatedByTypes.includes(readRelation(content)?.type ?? "")),
      );
  }

  if (limit === 0) return { events: [], start: from, end: from };
  const events: StoredEvent[] = [];
  let bytes = 0;
  const pause = timeSlices.begin();
  for (;;) {
    const pausing = pause();
    if (pausing) await pausing;
    const read = log.range(room.n, { after: low, upTo: high, direction, limit: batchSize });
    for (const event of read) {
      if (isForward) low = event.stream;
      else high = event.stream - 1;
      if (wants(event)) {
        events.push(event);
        bytes += event.bytes;
      }
      if (events.length >= limit || bytes > maxPageBytes)
        return { events, start: from, end: isForward ? low : high };
    }
    if (read.length < batchSize) {
      const reached = isForward ? low : high;
      return { events, start: from, end: events.length > 0 ? reached : undefined };
    }
  }
}

/** As the presenter shows them; other requests are answered in between. */
export async function showPage(
  { presenter, timeSlices }: Services,
  room: Room,
  events: readonly StoredEvent[],
  { reader, viewer }: { reader: Session; viewer: Viewer },
): Promise<JsonObject[]> {
  const shown: JsonObject[] = [];
  const pause = timeSlices.begin();
  for (const event of events) {
    const pausing = pause();
    if (pausing) await pausing;
    shown.push(...presenter.show(room, [event], reader, viewer));
  }
  return shown;
}

/** The member events of the page's senders. */
export function listLazyMembers(room: Room, events: readonly StoredEvent[]): StoredEvent[] {
  const senders = new Set(events.map(({ sender }) => sender));
  return room.stateEvents("m.room.member").filter(({ stateKey }) => senders.has(stateKey ?? ""));
}
