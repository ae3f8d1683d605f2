import { parseJson } from "../../shared/json.ts";
import { MatrixError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { readPowerLevels } from "../rules/power.ts";
import { redactContent } from "../rules/redact.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { Room, Rooms } from "./rooms.ts";
import type { Timeline } from "./timeline.ts";
import type { MatchingEvent } from "./matching-events.ts";

export interface EraseEventDeps {
  db: BatchedDatabase;
  rooms: Rooms;
  timeline: Timeline;
}

/**
 * Erases an event's content by sending a redaction, which clients receive. If no member may redact it, the stored content
 * is redacted directly. If the text is in the event's type or state key (`isInKey`), the row is deleted.
 */
export function eraseEvent(
  { db, rooms, timeline }: EraseEventDeps,
  event: MatchingEvent,
  isInKey: boolean,
): void {
  const { stream } = event;
  if (isInKey) {
    db.write("DELETE FROM events WHERE stream = ?", stream);
    db.write("DELETE FROM event_words WHERE rowid = ?", stream);
    return;
  }
  db.write("UPDATE events SET txn = NULL WHERE stream = ? AND txn IS NOT NULL", stream);
  if (event.isRedacted === 1) return;
  const room = rooms.find(event.roomId);
  if (room && sendRedaction(timeline, room, event)) return;
  const content = room ? redactContent(event.type, parseJson(event.content) as JsonObject, room.version) : {};
  db.write("UPDATE events SET content = ? WHERE stream = ?", JSON.stringify(content), stream);
  db.write("DELETE FROM event_words WHERE rowid = ?", stream);
}

/** False if no member may redact the event. */
function sendRedaction(timeline: Timeline, room: Room, { id: redacts, sender }: MatchingEvent): boolean {
  const redactor = findRedactor(room, sender);
  if (redactor === undefined) return false;
  const content: JsonObject = room.version.revised ? { redacts } : {};
  const draft = { type: "m.room.redaction", stateKey: undefined, sender: redactor, content, redacts };
  try {
    timeline.append(room, draft);
    return true;
  } catch (error) {
    if (error instanceof MatrixError) return false;
    throw error;
  }
}

/** The sender, or another member who may redact other users' events. */
function findRedactor(room: Room, sender: string): string | undefined {
  const levels = readPowerLevels(room.view);
  const maySend = (user: string): boolean => levels.of(user) >= levels.toSend("m.room.redaction", false);
  if (room.joined.has(sender) && maySend(sender)) return sender;
  return [...room.joined].find((user) => maySend(user) && levels.of(user) >= levels.to("redact"));
}
