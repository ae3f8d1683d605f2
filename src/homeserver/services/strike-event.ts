import { parseJson } from "../../shared/json.ts";
import { MatrixError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { readPowerLevels } from "../rules/power.ts";
import { redactContent } from "../rules/redact.ts";
import type { Ledger } from "./ledger.ts";
import type { Room, Rooms } from "./rooms.ts";
import type { Timeline } from "./timeline.ts";
import type { ToldEvent } from "./told-events.ts";

export interface StrikeDeps {
  ledger: Ledger;
  rooms: Rooms;
  timeline: Timeline;
}

/**
 * Takes what an event says out of the room, as its sender would: by a redaction, of which every client hears. Where
 * nobody is left who could send one, nobody is left to hear it. What stands in its name goes with the event itself.
 */
export function strikeEvent(
  { ledger, rooms, timeline }: StrikeDeps,
  event: ToldEvent,
  isInName: boolean,
): void {
  const { stream } = event;
  if (isInName) {
    ledger.write("DELETE FROM events WHERE stream = ?", stream);
    ledger.write("DELETE FROM event_words WHERE rowid = ?", stream);
    return;
  }
  ledger.write("UPDATE events SET txn = NULL WHERE stream = ? AND txn IS NOT NULL", stream);
  if (event.isRedacted === 1) return;
  const room = rooms.find(event.roomId);
  if (room && sendRedaction(timeline, room, event)) return;
  const content = room ? redactContent(event.type, parseJson(event.content) as JsonObject, room.version) : {};
  ledger.write("UPDATE events SET content = ? WHERE stream = ?", JSON.stringify(content), stream);
  ledger.write("DELETE FROM event_words WHERE rowid = ?", stream);
}

/** False where the room's rules let nobody do it. */
function sendRedaction(timeline: Timeline, room: Room, { id: redacts, sender }: ToldEvent): boolean {
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

/** The sender, or else somebody who may take back what others said. */
function findRedactor(room: Room, sender: string): string | undefined {
  const levels = readPowerLevels(room.view);
  const maySend = (user: string): boolean => levels.of(user) >= levels.toSend("m.room.redaction", false);
  if (room.joined.has(sender) && maySend(sender)) return sender;
  return [...room.joined].find((user) => maySend(user) && levels.of(user) >= levels.to("redact"));
}
