import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import type { Backend } from "./backend.ts";

const heartbeatMs = 15_000;
const mostQueued = 1_000;

/** GET /api/events: what the daemon announces, live. `Last-Event-ID` resumes after a gap, as far as it is remembered; `?viewer=1` says that a person has it open. */
export function streamEvents(c: Context, backend: Backend): Response {
  return streamSSE(c, async (stream) => {
    const queue = backend.since(Number(c.req.header("last-event-id") ?? Number.MAX_SAFE_INTEGER));
    let wake = (): void => {};
    const unsubscribe = backend.subscribe((seq, event) => {
      // A reader that cannot keep up is cut off: it can resume by id, and our memory stays bounded.
      if (queue.push({ seq, event }) > mostQueued) stream.abort();
      wake();
    });
    const closeViewer = c.req.query("viewer") === "1" ? backend.reach.openViewer() : () => {};
    stream.onAbort(() => {
      unsubscribe();
      closeViewer();
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
    closeViewer();
  });
}
