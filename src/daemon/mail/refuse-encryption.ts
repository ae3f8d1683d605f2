import type { MatrixClient } from "../../matrix-client/client.ts";
import { MatrixError } from "../../matrix-client/request.ts";
import type { SyncedRoom } from "../../matrix-client/sync-answer.ts";
import type { Log } from "../../shared/log.ts";

const notice =
  "This room is encrypted, and I cannot read encrypted messages. Please write to me in a room without encryption " +
  "(it can only be chosen when a room is made).";

/** Replies once per encrypted room that we cannot read it. */
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
