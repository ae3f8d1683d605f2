import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { EventFeed } from "./handlers.ts";

const heartbeatMs = 15_000;
const maxWaitingBytes = 512 * 1024;

/** Sends a feed as server-sent events. `Last-Event-ID` resumes after a gap, as far back as events are buffered. */
export function streamEvents(request: IncomingMessage, response: ServerResponse, feed: EventFeed): void {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
  if (request.method === "HEAD") return void response.end();
  response.write(": connected\n\n");
  const lastSeen = request.headers["last-event-id"];
  for (const missed of lastSeen === undefined ? [] : feed.since(Number(lastSeen)))
    response.write(formatEvent(missed));
  const unsubscribe = feed.subscribe((next) => {
    // A reader that cannot keep up is cut off: it can resume by id, and our memory stays bounded.
    if (response.writableLength > maxWaitingBytes) response.destroy();
    else response.write(formatEvent(next));
  });
  const heartbeat = setInterval(() => response.write(": still here\n\n"), heartbeatMs);
  response.once("close", () => {
    unsubscribe();
    clearInterval(heartbeat);
  });
}

function formatEvent({ seq, event }: ReturnType<EventFeed["since"]>[number]): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\nid: ${seq}\n\n`;
}

/** Resolves when the client can take more, or is gone. */
export async function write(response: ServerResponse, text: string): Promise<void> {
  if (response.write(text) || response.destroyed) return;
  const closed = new AbortController();
  const onClose = (): void => closed.abort();
  response.once("close", onClose);
  await once(response, "drain", { signal: closed.signal }).catch(() => {});
  response.off("close", onClose);
}
