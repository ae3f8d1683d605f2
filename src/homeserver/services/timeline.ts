import { randomBytes } from "node:crypto";
import type { Clock } from "../../shared/clock.ts";
import { refuse } from "../errors.ts";
import { canonicalJson, findJsonFault, type JsonObject } from "../json.ts";
import { authEventKeys, findAuthFault } from "../rules/auth-rules.ts";
import { findMalformedLevel, findCreatorWithLevel } from "../rules/check-power-levels.ts";
import { describeRedaction } from "../rules/client-event.ts";
import { type Draft, type Membership, memberships, type StoredEvent } from "../rules/event.ts";
import { isVisibility } from "../rules/history-visibility.ts";
import { hashContent, makeEventId } from "../rules/event-hash.ts";
import { redactContent } from "../rules/redact.ts";
import type { RoomVersion } from "../rules/room-version.ts";
import { readRelation } from "../rules/relation.ts";
import type { EventLog } from "./event-log.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { Members } from "./members.ts";
import { type Room, stateKeyOf } from "./rooms.ts";
import type { PollWaker } from "./poll-waker.ts";

/** Adds events to rooms: checks, hashes, numbers and queues them, and wakes syncs after the commit. */
export interface Timeline {
  /** Throws `M_FORBIDDEN` if the room's rules reject the event. Returns the existing event if the state is unchanged. */
  append(room: Room, draft: Draft, options?: AppendOptions): StoredEvent;
  /** Finds an event by id, from memory if possible. */
  find(room: Room, id: string): StoredEvent | undefined;
}

interface AppendOptions {
  txn?: { device: number; id: string };
  sentAt?: number;
}

interface TimelineDeps {
  db: BatchedDatabase;
  log: EventLog;
  members: Members;
  waker: PollWaker;
  clock: Clock;
  serverName: string;
}

const maxEventBytes = 65_536;
const maxFieldBytes = 255;
const maxStateBytes = 8_000_000;

export function openTimeline(deps: TimelineDeps): Timeline {
  const { db, log, members, waker, clock, serverName } = deps;

  function append(room: Room, draft: Draft, options: AppendOptions = {}): StoredEvent {
    checkShape(room, draft);
    const replaced =
      draft.stateKey === undefined ? undefined : room.state.get(stateKeyOf(draft.type, draft.stateKey));
    const fault = findAuthFault(room.version, draft, room.view);
    if (fault) refuse("M_FORBIDDEN", `Not allowed: ${fault}.`);
    if (
      replaced &&
      canonicalJson(replaced.content) === canonicalJson(draft.content) &&
      replaced.sender === draft.sender
    )
      return replaced;
    const event = makeEvent(room, draft, replaced, options);
    checkStateSize(room, event, replaced);
    const relation = readRelation(draft.content);
    log.insert(room.n, event, relation, replaced?.stream);
    if (relation) room.parents.add(relation.parent);
    if (event.type === "m.room.member" && event.stateKey !== undefined)
      members.record(event.stateKey, room, event.content.membership as Membership, event.stream);
    const before = event.type === "m.room.member" ? new Set(room.joined) : room.joined;
    room.add(event);
    if (event.type === "m.room.redaction") applyRedaction(room, event);
    db.afterCommit(() => {
      waker.wake(before);
      if (event.stateKey !== undefined && event.type === "m.room.member" && !before.has(event.stateKey))
        waker.wake([event.stateKey]);
    });
    return event;
  }

  function makeEvent(
    room: Room,
    draft: Draft,
    replaced: StoredEvent | undefined,
    { txn, sentAt = clock() }: AppendOptions,
  ): StoredEvent {
    const auth = authEventKeys(room.version, draft)
      .map(([type, key]) => room.state.get(stateKeyOf(type, key)))
      .filter((event) => event !== undefined);
    const depth = (room.last?.depth ?? 0) + 1;
    const topLevelRedacts = room.version.revised ? undefined : draft.redacts;
    const pdu = makePdu(room, { ...draft, redacts: topLevelRedacts, sentAt, depth }, auth);
    const canonical = canonicalJson(pdu);
    const hash = hashContent(canonical);
    const size = Buffer.byteLength(canonical) + hash.length;
    if (size > maxEventBytes)
      refuse("M_TOO_LARGE", `The event has ${size} bytes; the limit is ${maxEventBytes}.`);
    return {
      stream: db.nextPosition(),
      id:
        room.version.eventIds === "random"
          ? `$${randomBytes(18).toString("base64url")}:${serverName}`
          : makeEventId({ ...pdu, hashes: { sha256: hash } }, room.version),
      roomId: room.id,
      type: draft.type,
      stateKey: draft.stateKey,
      sender: draft.sender,
      sentAt,
      depth,
      content: draft.content,
      redacts: topLevelRedacts,
      replaced: replaced && { id: replaced.id, sender: replaced.sender, content: replaced.content },
      txn,
      redactedBecause: undefined,
      authEvents: auth.map(({ stream }) => stream),
      hash,
      bytes: size,
    };
  }

  function applyRedaction(room: Room, redaction: StoredEvent): void {
    const id = redaction.redacts ?? redaction.content.redacts;
    const target = typeof id === "string" ? find(room, id) : undefined;
    if (!target || target.redactedBecause) return;
    const content = redactContent(target.type, target.content, room.version);
    log.redact(target.stream, content, redaction.stream);
    const because = describeRedaction(target.id, redaction);
    // Other events contain copies: as the replaced content or as the reason of a redaction.
    for (const copy of [...room.recent, ...room.state.values()]) {
      if (copy.id === target.id) Object.assign(copy, { content, redactedBecause: because });
      if (copy.replaced?.id === target.id) copy.replaced.content = content;
      if (copy.redactedBecause?.event_id === target.id) copy.redactedBecause.content = content;
    }
  }

  function find(room: Room, id: string): StoredEvent | undefined {
    const event = room.find(id) ?? log.byId(id);
    return event?.roomId === room.id ? event : undefined;
  }

  return { append, find };
}

/** The whole state is read at once and sent to every new member. Leaving is always possible. */
function checkStateSize(room: Room, event: StoredEvent, replaced: StoredEvent | undefined): void {
  if (event.stateKey === undefined || ["leave", "ban"].includes(String(event.content.membership))) return;
  if (room.stateBytes - (replaced?.bytes ?? 0) + event.bytes > maxStateBytes)
    refuse("M_TOO_LARGE", `The state of a room must not exceed ${maxStateBytes} bytes.`);
}

function checkShape(room: Room, draft: Draft): void {
  for (const [name, value] of Object.entries({
    type: draft.type,
    state_key: draft.stateKey,
    sender: draft.sender,
  }))
    if (value !== undefined && Buffer.byteLength(value) > maxFieldBytes)
      refuse("M_TOO_LARGE", `${name} is longer than ${maxFieldBytes} bytes.`);
  if (draft.type === "m.room.tombstone" && draft.content.replacement_room === room.id)
    refuse("M_BAD_JSON", "A room cannot replace itself.");
  if (draft.type === "m.room.power_levels") checkLevels(room, draft.content);
  if (draft.type === "m.room.member" && !memberships.includes(draft.content.membership as Membership))
    refuse("M_BAD_JSON", "Unknown membership.");
  checkRule(draft);
  const fault = findJsonFault(draft.content, room.version.isStrict);
  if (fault) refuse("M_BAD_JSON", `Invalid content: ${fault}.`);
}

function checkRule({ type, stateKey, content }: Draft): void {
  if (stateKey !== "") return;
  if (type === "m.room.join_rules" && typeof content.join_rule !== "string")
    refuse("M_BAD_JSON", "join_rule must be a string.");
  if (type === "m.room.history_visibility" && !isVisibility(content.history_visibility))
    refuse("M_BAD_JSON", "Unknown history_visibility.");
}

function checkLevels({ version, view }: Room, content: JsonObject): void {
  if (findCreatorWithLevel(content, view) !== undefined)
    refuse("M_BAD_JSON", "Room creators cannot be given a power level.");
  const fault = findMalformedLevel(version, content);
  if (fault) refuse("M_BAD_JSON", `Invalid power levels: ${fault}.`);
}

interface TimedDraft extends Draft {
  sentAt: number;
  depth: number;
}

/** The event in the federation format. Versions 1 and 2 reference other events with their hashes. */
function makePdu(
  room: Pick<Room, "id" | "version" | "last">,
  draft: TimedDraft,
  auth: StoredEvent[],
): JsonObject {
  const refer = ({ id, hash }: StoredEvent): unknown =>
    room.version.eventIds === "random" ? [id, { sha256: hash }] : id;
  const definesRoomId = room.version.hashedRoomIds && draft.type === "m.room.create";
  return {
    type: draft.type,
    ...(definesRoomId ? {} : { room_id: room.id }),
    sender: draft.sender,
    content: draft.content,
    depth: draft.depth,
    origin_server_ts: draft.sentAt,
    prev_events: room.last ? [refer(room.last)] : [],
    auth_events: auth.map(refer),
    ...(draft.stateKey === undefined ? {} : { state_key: draft.stateKey }),
    ...(draft.redacts === undefined ? {} : { redacts: draft.redacts }),
  };
}

/** The id of the room with this create event, in versions that derive it from the event's hash. */
export function makeRoomId(version: RoomVersion, draft: Draft, sentAt: number): string {
  const pdu = makePdu({ id: "", version, last: undefined }, { ...draft, sentAt, depth: 1 }, []);
  return `!${makeEventId({ ...pdu, hashes: { sha256: hashContent(canonicalJson(pdu)) } }, version).slice(1)}`;
}
