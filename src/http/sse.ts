import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { EventFeed } from "./handlers.ts";

const heartbeatMs = 15_000;
const maxQueued = 1_000;

/** Sends a feed as server-sent events. `Last-Event-ID` resumes after a gap, as far back as events are buffered. */
export function streamEvents(c: Context, feed: EventFeed): Response {
  return streamSSE(c, async (stream) => {
    const queue = feed.since(Number(c.req.header("last-event-id") ?? Number.MAX_SAFE_INTEGER));
    let wake = (): void => {};
    const unsubscribe = feed.subscribe((next) => {
      // A reader that cannot keep up is cut off: it can resume by id, and our memory stays bounded.
      if (queue.push(next) > maxQueued) stream.abort();
      wake();
    });
    stream.onAbort(() => {
      unsubscribe();
      wake();
    });
    await stream.write(": connected\n\n");
    while (!stream.aborted) {
      const next = queue.shift();
      if (next) {
        await stream.writeSSE({
          id: String(next.seq),
          event: next.event.type,
          data: JSON.stringify(next.event),
        });
        continue;
      }
      const isQuiet = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(true), heartbeatMs);
        wake = () => {
          clearTimeout(timer);
          resolve(false);
        };
      });
      if (isQuiet) await stream.write(": still here\n\n");
    }
    unsubscribe();
  });
}
