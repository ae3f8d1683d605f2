import { asRecord } from "../shared/json.ts";
/** A timeline event; its content is not trusted. */
export interface TimelineEvent {
  event_id: string;
  type: string;
  sender: string;
  origin_server_ts: number;
  content: Record<string, unknown>;
  state_key?: string;
}

/** A `/sync` response. Servers omit empty fields, and nothing in it is trusted. */
export interface SyncResponse {
  next_batch: string;
  rooms?: unknown;
}

/** A joined room with changes. */
export interface SyncedRoom {
  roomId: string;
  /** Oldest first. */
  events: TimelineEvent[];
  /** The position from which to fetch omitted events. */
  gapBefore: string | undefined;
  /** Undefined if the response does not include it. */
  name: string | undefined;
  /** Contains events that cannot be read without keys. */
  isEncrypted: boolean;
  /** Read positions of users. */
  receipts: { userId: string; eventId: string }[];
}

interface Invitation {
  roomId: string;
  inviter: string | undefined;
  isDirect: boolean;
}

export function listRooms(answer: SyncResponse): { joined: SyncedRoom[]; invited: Invitation[] } {
  const { join, invite } = asRecord(answer.rooms);
  const joined = entriesOf(join).map(([roomId, { timeline, state, ephemeral }]): SyncedRoom => {
    const { events: recent, limited, prev_batch: previous } = asRecord(timeline);
    const events = readEvents(recent);
    const all = [...readEvents(asRecord(state).events), ...events];
    const named = all.findLast(({ type, state_key }) => type === "m.room.name" && state_key === "");
    return {
      roomId,
      events,
      gapBefore: limited === true && typeof previous === "string" ? previous : undefined,
      name: asName(named?.content.name),
      isEncrypted: all.some(({ type }) => type === "m.room.encrypted" || type === "m.room.encryption"),
      receipts: readReceipts(asRecord(ephemeral).events),
    };
  });
  const invited = entriesOf(invite).map(([roomId, { invite_state: state }]): Invitation => {
    const invitation = asRecords(asRecord(state).events).find(
      ({ type, content }) => type === "m.room.member" && asRecord(content).membership === "invite",
    );
    const inviter = typeof invitation?.sender === "string" ? invitation.sender : undefined;
    return { roomId, inviter, isDirect: asRecord(invitation?.content).is_direct === true };
  });
  return { joined, invited };
}

/** Keeps only well-formed events: one malformed event must not prevent the others from being read. */
export function readEvents(events: unknown): TimelineEvent[] {
  return asRecords(events).filter(
    ({ event_id, type, sender, origin_server_ts, content }) =>
      typeof event_id === "string" &&
      typeof type === "string" &&
      typeof sender === "string" &&
      Number.isSafeInteger(origin_server_ts) &&
      typeof content === "object" &&
      content !== null,
  ) as unknown as TimelineEvent[];
}

/** Room-wide receipts only: a receipt of a thread does not cover the rest of the room. */
function readReceipts(events: unknown): SyncedRoom["receipts"] {
  const contents = asRecords(events).filter(({ type }) => type === "m.receipt");
  return contents.flatMap(({ content }) =>
    Object.entries(asRecord(content)).flatMap(([eventId, byType]) =>
      ["m.read", "m.read.private"].flatMap((type) =>
        Object.entries(asRecord(asRecord(byType)[type]))
          .filter(([, receipt]) => [undefined, "main"].includes(asRecord(receipt).thread_id as undefined))
          .map(([userId]) => ({ userId, eventId })),
      ),
    ),
  );
}

function asName(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, 100) : undefined;
}

function entriesOf(rooms: unknown): [roomId: string, room: Record<string, unknown>][] {
  return Object.entries(asRecord(rooms)).map(([roomId, room]) => [roomId, asRecord(room)]);
}

function asRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(asRecord) : [];
}
