import { isObject, type JsonObject } from "../json.ts";

/** Fields of a room in the old responses, besides its events. */
interface RoomHead {
  membership: string;
  visibility: "public" | "private";
}

/** Converts a /sync response to the flat event list of the old `/events`. */
export function toEventStream(answer: JsonObject): JsonObject[] {
  const rooms = listRooms(answer).flatMap(([roomId, room]) =>
    withRoom(roomId, [
      ...eventsOf(room.timeline),
      ...findOwnMembership(room),
      ...eventsOf(room.ephemeral),
      ...eventsOf(room.account_data),
    ]),
  );
  return [...rooms, ...eventsOf(answer.presence).map(toOldPresence), ...eventsOf(answer.account_data)];
}

/** Converts an initial /sync response with `state_after` to the format of the old `/initialSync`. */
export function toInitialSync(answer: JsonObject, describe: (roomId: string) => RoomHead): JsonObject {
  const rooms = listRooms(answer);
  return {
    end: answer.next_batch,
    rooms: rooms.map(([roomId, room]) => ({
      room_id: roomId,
      ...describe(roomId),
      ...(isObject(room.timeline)
        ? describeContent(roomId, room, answer.next_batch)
        : invitePreview(roomId, room)),
    })),
    presence: eventsOf(answer.presence).map(toOldPresence),
    account_data: eventsOf(answer.account_data),
    receipts: rooms.flatMap(([roomId, room]) =>
      withRoom(
        roomId,
        eventsOf(room.ephemeral).filter(({ type }) => type === "m.receipt"),
      ),
    ),
  };
}

/** The old format repeats the user id in the content. */
export function toOldPresence(event: JsonObject): JsonObject {
  return { ...event, content: { ...objectOf(event.content), user_id: event.sender } };
}

function describeContent(roomId: string, room: JsonObject, end: unknown): JsonObject {
  return {
    messages: {
      start: objectOf(room.timeline).prev_batch,
      end,
      chunk: withRoom(roomId, eventsOf(room.timeline)),
    },
    state: withRoom(roomId, eventsOf(room.state_after)),
    account_data: eventsOf(room.account_data),
  };
}

function invitePreview(roomId: string, room: JsonObject): JsonObject {
  const [own] = withRoom(roomId, findOwnMembership(room));
  return own ? { inviter: own.sender, invite: own } : {};
}

/** The user's own invite or knock, which is the last event of the stripped state. */
function findOwnMembership(room: JsonObject): JsonObject[] {
  return [...eventsOf(room.invite_state), ...eventsOf(room.knock_state)].slice(-1);
}

function listRooms(answer: JsonObject): [roomId: string, room: JsonObject][] {
  return Object.values(objectOf(answer.rooms)).flatMap((section) =>
    Object.entries(objectOf(section)).map(([roomId, room]): [string, JsonObject] => [roomId, objectOf(room)]),
  );
}

function withRoom(roomId: string, events: JsonObject[]): JsonObject[] {
  return events.map((event) => ({ ...event, room_id: roomId }));
}

function eventsOf(section: unknown): JsonObject[] {
  const { events } = objectOf(section);
  return Array.isArray(events) ? events : [];
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
