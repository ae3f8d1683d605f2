import type { SyncAnswer, TimelineEvent } from "../../channels/matrix/sync-answer.ts";
import { type IncomingMessage, readMessage } from "../../domain/mail/message.ts";
import { redactText } from "../../domain/redact/redact-text.ts";
import type { BusEvent } from "../../protocol/bus-events.ts";
import type { Clock } from "../../shared/clock.ts";
import { makeId } from "../../shared/ids.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/open-store.ts";
import type { RoomRow } from "../../store/rooms.ts";
import type { Accounts } from "./accounts.ts";

export interface TakeMailDeps {
  store: Store;
  accounts: Accounts;
  clock: Clock;
}

/** What a homeserver told one agent, room by room, gaps filled. */
export interface Told {
  since: string;
  rooms: { roomId: string; events: TimelineEvent[] }[];
}

/**
 * Keeps what an agent was told and queues what is for it, together with how far that was: in one transaction, so that
 * nothing is lost and nothing comes twice. Returns what there is to announce.
 */
export function takeMail(deps: TakeMailDeps, agent: AgentRow, userId: string, told: Told): BusEvent[] {
  const { store } = deps;
  return store.db.transaction(() => {
    const facts = told.rooms.flatMap(({ roomId, events }) => {
      const room = store.rooms.byId(roomId) ?? keepUnknown(deps, roomId);
      return events
        .filter((event) => event.sender !== userId)
        .flatMap((event) => takeEvent(deps, agent, userId, room, event));
    });
    store.rooms.setCursor(userId, told.since);
    return facts;
  });
}

/** A room that somebody else made and asked the agent into. */
function keepUnknown({ store, clock }: TakeMailDeps, roomId: string): RoomRow {
  const room: RoomRow = {
    id: roomId,
    kind: "group",
    key: `group:${roomId}`,
    name: roomId,
    keepDays: null,
    createdAt: clock(),
  };
  store.rooms.put(room);
  return room;
}

function takeEvent(
  deps: TakeMailDeps,
  agent: AgentRow,
  userId: string,
  room: RoomRow,
  event: TimelineEvent,
): BusEvent[] {
  const { store, clock } = deps;
  const read = readMessage(event.type, event.content);
  if (!read) return [];
  const known = store.messages.byEvent(event.event_id) ?? ownMessage(deps, read, event, room);
  const message = known ?? keepMessage(deps, read, event, room);
  const facts: BusEvent[] = known
    ? []
    : [{ type: "message.received", messageId: message.id, roomId: room.id, sender: message.sender }];
  if (!isFor(agent, userId, room, read, event)) return facts;
  const id = makeId(clock());
  const isNew = store.deliveries.queue({
    id,
    agentId: agent.id,
    kind: message.kind === "text" ? "message" : message.kind,
    sender: message.sender,
    source: describeRoom(room),
    body: message.body,
    messageId: message.id,
    createdAt: message.createdAt,
  });
  if (isNew)
    facts.push({ type: "delivery.queued", deliveryId: id, agent: agent.name, sender: message.sender });
  return facts;
}

/** One that an agent of ours sent: the follower may be quicker than the answer to the sender. */
function ownMessage(
  { store }: TakeMailDeps,
  { claimedId }: IncomingMessage,
  event: TimelineEvent,
  room: RoomRow,
): MessageRow | undefined {
  const row = claimedId === null ? undefined : store.messages.byId(claimedId);
  // Anybody can write our id into a message; only the account that sent it makes it so.
  if (!row || row.userId !== event.sender || (row.eventId !== null && row.eventId !== event.event_id))
    return undefined;
  const sent: MessageRow = { ...row, eventId: event.event_id, roomId: room.id, state: "sent", error: null };
  store.messages.update(sent);
  return sent;
}

function keepMessage(
  { store, accounts, clock }: TakeMailDeps,
  read: IncomingMessage,
  event: TimelineEvent,
  room: RoomRow,
): MessageRow {
  const agent = accounts.agentBehind(event.sender);
  const replyTo = read.replyToEvent === null ? null : (store.messages.byEvent(read.replyToEvent)?.id ?? null);
  const message: MessageRow = {
    id: makeId(clock()),
    eventId: event.event_id,
    roomId: room.id,
    address: room.name,
    sender: agent?.name ?? event.sender,
    userId: event.sender,
    agentId: agent?.id ?? null,
    kind: read.kind,
    body: redactText(read.body).text,
    extra: read.extra && JSON.stringify(read.extra),
    replyTo,
    // A person's word ends a chain, whatever it claims.
    hops: agent || read.claimedAgent !== null ? read.hops : 0,
    state: "received",
    attempts: 0,
    dueAt: 0,
    error: null,
    createdAt: Math.min(event.origin_server_ts, clock()),
  };
  store.messages.insert(message);
  return message;
}

/** In a room of many, a message that names somebody is for them; one that names nobody is for all who were there. */
function isFor(
  agent: AgentRow,
  userId: string,
  room: RoomRow,
  { mentions, kind }: IncomingMessage,
  event: TimelineEvent,
): boolean {
  if (room.kind === "direct") return true;
  if (mentions) return mentions.includes(userId);
  // What changes about tasks and leases can be looked up: it wakes nobody it does not name.
  return kind === "text" && event.origin_server_ts >= agent.createdAt;
}

function describeRoom({ kind, name }: RoomRow): string {
  return kind === "direct" ? "a direct message" : `room ${name}`;
}

/** The rooms an answer tells of, and those the agent is asked into. */
export function listRooms({ rooms }: SyncAnswer): {
  joined: { roomId: string; events: TimelineEvent[]; gapBefore: string | undefined }[];
  invited: { roomId: string; inviter: string | undefined }[];
} {
  const joined = Object.entries(rooms?.join ?? {}).map(([roomId, { timeline }]) => ({
    roomId,
    events: timeline?.events ?? [],
    gapBefore: timeline?.limited ? timeline.prev_batch : undefined,
  }));
  const invited = Object.entries(rooms?.invite ?? {}).map(([roomId, { invite_state }]) => ({
    roomId,
    inviter: invite_state?.events?.find(
      ({ type, content }) => type === "m.room.member" && content.membership === "invite",
    )?.sender,
  }));
  return { joined, invited };
}
