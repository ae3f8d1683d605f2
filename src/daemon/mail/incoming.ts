import type { TimelineEvent } from "../../matrix-client/sync-response.ts";
import { formatPerson } from "../../domain/access/person-name.ts";
import { makePairKey } from "../../domain/mail/address.ts";
import { parseQualifiedName } from "../../domain/mail/machine.ts";
import { type IncomingMessage, readMessage } from "../../domain/mail/message.ts";
import { redactText } from "../../redact/redact-text.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { BusEvent } from "../../protocol/bus-events.ts";
import { makeId } from "../../shared/ids.ts";
import type { AgentRow } from "../../store/agents.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { RoomRow } from "../../store/rooms.ts";
import { nameOf } from "../../store/tombstones.ts";
import type { Accounts } from "../matrix/accounts.ts";
import { makeReadMarks } from "./read-marks.ts";
import { projectOf, applyLeaseEvent, applyTaskEvent } from "./apply-status.ts";
import { findRecipients } from "./recipients.ts";
import type { DaemonContext } from "../runtime/context.ts";

interface ReceiveMailDeps extends Pick<DaemonContext, "store" | "clock"> {
  accounts: Accounts;
  /** The name of the person at this machine. */
  owner: string;
}

/** A listening account, and the agents behind it (none for the person's own). */
interface Listener {
  userId: string;
  agents: readonly AgentRow[];
}

/** A room from a sync, gaps filled, oldest first. */
export interface RoomUpdate {
  roomId: string;
  events: TimelineEvent[];
  name: string | undefined;
  /** The other user, if the room was created as a direct chat. */
  directWith: string | undefined;
}

export interface SyncUpdate {
  since: string;
  rooms: RoomUpdate[];
  /** How far the person has read, with the time of the receipt. */
  read: { roomId: string; at: number }[];
}

/**
 * Stores an account's sync and queues messages for its agents, together with the sync position: in one transaction, so
 * that nothing is lost and nothing arrives twice. Returns the events to announce.
 */
export function receiveMail(deps: ReceiveMailDeps, listener: Listener, update: SyncUpdate): BusEvent[] {
  const { store } = deps;
  return store.db.transaction(() => {
    const busEvents = update.rooms.flatMap((roomUpdate) => {
      const room = rememberRoom(deps, listener, roomUpdate);
      return roomUpdate.events.flatMap((event) => receiveEvent(deps, listener, room, event));
    });
    const marks = makeReadMarks(store);
    for (const { roomId, at } of update.read)
      if (marks.set(roomId, at)) busEvents.push({ type: "room.read", roomId });
    store.rooms.setCursor(listener.userId, update.since);
    return busEvents;
  });
}

/** Stores a room that someone else created and invited us to. */
function rememberRoom({ store, clock }: ReceiveMailDeps, { userId }: Listener, update: RoomUpdate): RoomRow {
  const { roomId, name, directWith } = update;
  const known = store.rooms.byId(roomId);
  if (known && (known.name !== roomId || !name)) return known;
  const pair = directWith === undefined ? undefined : makePairKey(userId, directWith);
  const isTaken = pair !== undefined && store.rooms.byKey(pair) !== undefined;
  const room: RoomRow = known
    ? { ...known, name: name ?? known.name }
    : {
        id: roomId,
        kind: pair === undefined ? "group" : "direct",
        // Two users may open several rooms with each other; we write to the first.
        key: pair === undefined || isTaken ? `group:${roomId}` : pair,
        name: name ?? directWith ?? roomId,
        keepDays: null,
        createdAt: clock(),
      };
  store.rooms.put(room);
  return room;
}

function receiveEvent(
  deps: ReceiveMailDeps,
  listener: Listener,
  room: RoomRow,
  event: TimelineEvent,
): BusEvent[] {
  const { store, accounts, clock } = deps;
  const read = readMessage(event.type, event.content);
  if (!read || isForgotten(deps, read, event, room)) return [];
  const isOwn = isSentByUs(deps, listener, event.sender, read);
  if (read.hasMessage) {
    // Applied before its message arrives: a program may react to the event first.
    const sender = nameUser(deps, event.sender);
    return isOwn ? [] : applyStatus(deps, room, read, { sender, userId: event.sender });
  }
  const isSentHere = isOwn && event.type === "m.room.message";
  // The copy of a task message in the project's room: the message itself is stored.
  if (isSentHere && read.kind === "task" && read.claimedId === null) return [];
  const known = store.messages.byEvent(event.event_id) ?? findSentMessage(deps, read, event, room);
  const message = known ?? storeMessage(deps, read, event, room);
  const busEvents: BusEvent[] = known
    ? []
    : [{ type: "message.received", messageId: message.id, roomId: room.id, sender: message.sender }];
  if (!known && !isSentHere) busEvents.push(...applyStatus(deps, room, read, message));
  const { agents } = listener;
  for (const agent of findRecipients({ store, accounts, agents, room, read, message, nowMs: clock() })) {
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
      busEvents.push({ type: "delivery.queued", deliveryId: id, agent: agent.name, sender: message.sender });
  }
  return busEvents;
}

function applyStatus(
  { store, accounts, clock }: ReceiveMailDeps,
  room: RoomRow,
  { kind, extra }: IncomingMessage,
  { sender, userId }: Pick<MessageRow, "sender" | "userId">,
): BusEvent[] {
  const status = { extra, sender, userId };
  if (kind === "task") return applyTaskEvent({ store, clock, machine: accounts.machine }, room, status);
  if (kind === "lease") return applyLeaseEvent({ store, clock, ownerId: accounts.ownerId }, room, status);
  return [];
}

/** Machines may share an account: then the message says which of them sent it. */
function isSentByUs(
  { accounts }: ReceiveMailDeps,
  listener: Listener,
  userId: string,
  { claimedMachine }: IncomingMessage,
): boolean {
  if (claimedMachine !== null && claimedMachine.id !== accounts.machine.id) return false;
  return (
    userId === listener.userId || userId === accounts.speakerId() || accounts.findAgent(userId) !== undefined
  );
}

/**
 * True for a message that was forgotten here: a remote homeserver still has it, and one that was reset sends everything
 * again.
 */
function isForgotten(
  { store }: ReceiveMailDeps,
  { claimedId }: IncomingMessage,
  event: TimelineEvent,
  room: RoomRow,
): boolean {
  const { tombstones } = store;
  return (
    tombstones.has(nameOf.message(event.event_id)) ||
    (claimedId !== null && tombstones.has(nameOf.document(claimedId))) ||
    tombstones.covers(projectOf(store, room)?.path ?? "", event.origin_server_ts)
  );
}

/** The row of a message that was sent from here; a follower may see it before the sender gets its response. */
function findSentMessage(
  { store }: ReceiveMailDeps,
  { claimedId }: IncomingMessage,
  event: TimelineEvent,
  room: RoomRow,
): MessageRow | undefined {
  const row = claimedId === null ? undefined : store.messages.byId(claimedId);
  // Anyone can copy our id into a message; only the sending account proves that it is ours.
  if (row?.userId !== event.sender) return undefined;
  // Sent twice because the homeserver lost its transaction id: still the same message.
  if (row.eventId !== null) return row;
  const sent: MessageRow = { ...row, eventId: event.event_id, roomId: room.id, state: "sent", error: null };
  store.messages.update(sent);
  return sent;
}

/** The person at this machine has one name; an account is known by its id unless its owner is paired. */
function nameUser({ store, accounts, owner }: ReceiveMailDeps, userId: string): string {
  if (userId === accounts.ownerId) return owner;
  const people = store.access.listPeople().filter(({ channel }) => channel === "matrix");
  const paired = people.find(({ sender }) => sender === userId);
  return paired ? formatPerson(paired.name, owner) : userId;
}

function storeMessage(
  deps: ReceiveMailDeps,
  read: IncomingMessage,
  event: TimelineEvent,
  room: RoomRow,
): MessageRow {
  const { store, accounts, clock } = deps;
  const agent = accounts.findAgent(event.sender);
  const { claimedAgent, claimedMachine } = read;
  const isElsewhere =
    agent === undefined && claimedMachine !== null && claimedMachine.id !== accounts.machine.id;
  // Only the account is verified, so it is always shown.
  const remote =
    isElsewhere && claimedAgent !== null && parseQualifiedName(`${claimedAgent}@${claimedMachine.name}`)
      ? `${claimedAgent}@${claimedMachine.name} (${event.sender})`
      : undefined;
  const replyTo = read.replyToEvent === null ? null : (store.messages.byEvent(read.replyToEvent)?.id ?? null);
  const isAgent = agent !== undefined || read.claimedAgent !== null;
  const message: MessageRow = {
    id: makeId(clock()),
    eventId: event.event_id,
    roomId: room.id,
    address: room.name,
    sender: agent?.name ?? remote ?? nameUser(deps, event.sender),
    userId: event.sender,
    agentId: agent?.id ?? null,
    isAgent,
    kind: read.kind,
    body: redactText(read.body).text,
    extra: read.extra && JSON.stringify(redactValue(read.extra).value),
    replyTo,
    // A message from a person ends a chain.
    hops: isAgent ? read.hops : 0,
    state: "received",
    attempts: 0,
    dueAt: 0,
    error: null,
    createdAt: Math.min(event.origin_server_ts, clock()),
  };
  store.messages.insert(message);
  return message;
}

function describeRoom({ kind, name }: RoomRow): string {
  return kind === "direct" ? "a direct message" : `room ${name}`;
}
