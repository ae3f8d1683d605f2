import type { MatrixClient } from "../../channels/matrix/client.ts";
import { MatrixError } from "../../channels/matrix/request.ts";
import { readEvents, type SyncedRoom, type TimelineEvent } from "../../channels/matrix/sync-answer.ts";
import type { Log } from "../../shared/log.ts";

/** 10,000 events: whoever was away for longer reads the rest in the room. */
const mostPages = 100;
const pageSize = 100;

/** What an answer left out: back to where the account was, or as far as is reasonable. Oldest first. */
export async function fillGap(
  client: MatrixClient,
  roomId: string,
  gapBefore: string,
  since: string | undefined,
  log: Log,
): Promise<TimelineEvent[]> {
  const pages: TimelineEvent[][] = [];
  let from: string | undefined = gapBefore;
  for (let page = 0; from !== undefined; page++) {
    if (page === mostPages) {
      log.warn("a gap in a room is too long to be filled", { room: roomId, events: mostPages * pageSize });
      break;
    }
    const { events, end } = await client.messagesBefore(roomId, { from, to: since, limit: pageSize });
    pages.push(readEvents(events));
    from = events.length > 0 ? end : undefined;
  }
  return pages.flat().toReversed();
}

const notice =
  "This room is encrypted, and I cannot read encrypted messages. Please write to me in a room without encryption " +
  "(it can only be chosen when a room is made).";

/** Whoever writes where we cannot read is told so, once per room. */
export async function refuseEncryption(client: MatrixClient, room: SyncedRoom, log: Log): Promise<void> {
  const { roomId } = room;
  if (!room.isEncrypted || !room.events.some((event) => event.sender !== client.userId)) return;
  const content = { msgtype: "m.notice", body: notice };
  try {
    await client.send(roomId, "m.room.message", content, `encrypted-${roomId}`);
    log.warn("an encrypted room cannot be read", { room: roomId });
  } catch (error) {
    if (!(error instanceof MatrixError) || error.retryAfterMs !== undefined) throw error;
    log.warn("an encrypted room cannot be read, nor written to", { room: roomId, error });
  }
}
