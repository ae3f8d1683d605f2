import type { MatrixClient } from "./client.ts";
import { readEvents, type TimelineEvent } from "./sync-response.ts";

/** 10,000 events; older ones can only be read in the room. */
const maxPages = 100;
const pageSize = 100;

/** Fetches the events that a limited sync left out: back to the previous position, or up to the limit. Oldest first. */
export async function fillGap(
  client: Pick<MatrixClient, "messagesBefore">,
  roomId: string,
  gapBefore: string,
  since: string | undefined,
): Promise<{ events: TimelineEvent[]; isComplete: boolean }> {
  const pages: TimelineEvent[][] = [];
  let from: string | undefined = gapBefore;
  while (from !== undefined && pages.length < maxPages) {
    const page: { events: unknown[]; end: string | undefined } = await client.messagesBefore(roomId, {
      from,
      to: since,
      limit: pageSize,
    });
    pages.push(readEvents(page.events));
    from = page.events.length > 0 ? page.end : undefined;
  }
  return { events: pages.flat().toReversed(), isComplete: from === undefined };
}
