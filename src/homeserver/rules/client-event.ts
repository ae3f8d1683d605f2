import type { JsonObject } from "../json.ts";
import type { Membership, StoredEvent } from "./event.ts";

interface ClientView {
  now: number;
  /** The reading device; it receives its own transaction ids. */
  device?: number | undefined;
  membership?: Membership | undefined;
  relations?: JsonObject | undefined;
  /** False in /sync, where rooms are keyed by id. */
  withRoomId: boolean;
}

/** An event in the client format. */
export function toClientEvent(event: StoredEvent, view: ClientView): JsonObject {
  const unsigned: JsonObject = { age: Math.max(0, view.now - event.sentAt) };
  if (view.membership) unsigned.membership = view.membership;
  if (event.replaced) {
    unsigned.prev_content = event.replaced.content;
    unsigned.replaces_state = event.replaced.id;
    unsigned.prev_sender = event.replaced.sender;
  }
  if (event.txn && event.txn.device === view.device) unsigned.transaction_id = event.txn.id;
  if (event.redactedBecause) {
    unsigned.redacted_because = event.redactedBecause;
    unsigned.redacted_by = event.redactedBecause.event_id;
  }
  if (view.relations) unsigned["m.relations"] = view.relations;
  const shown: JsonObject = {
    type: event.type,
    event_id: event.id,
    sender: event.sender,
    origin_server_ts: event.sentAt,
    content: event.content,
    unsigned,
  };
  if (view.withRoomId) shown.room_id = event.roomId;
  if (event.stateKey !== undefined) shown.state_key = event.stateKey;
  if (event.type === "m.room.redaction") addRedacts(event, shown);
  return shown;
}

/** `redacts` moved into the content in room version 11; it is set in both places for older and newer clients. */
function addRedacts(event: StoredEvent, shown: JsonObject): void {
  const redacts = event.redacts ?? event.content.redacts;
  if (redacts === undefined) return;
  shown.redacts = redacts;
  shown.content = { ...event.content, redacts };
}

/** A state event for users outside the room: without id and timestamp. */
export function toStrippedEvent(event: StoredEvent): JsonObject {
  const { type, sender, content, stateKey } = event;
  return { type, sender, content, state_key: stateKey };
}

/** `redacted_because` of a redacted event. */
export function describeRedaction(
  target: string,
  redaction: Pick<StoredEvent, "id" | "roomId" | "sender" | "sentAt" | "content">,
): JsonObject {
  return {
    type: "m.room.redaction",
    event_id: redaction.id,
    sender: redaction.sender,
    origin_server_ts: redaction.sentAt,
    room_id: redaction.roomId,
    redacts: target,
    content: redaction.content,
  };
}
