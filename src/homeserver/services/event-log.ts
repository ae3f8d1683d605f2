import { parseJson } from "../../shared/json.ts";
import type { JsonObject } from "../json.ts";
import { describeRedaction } from "../rules/client-event.ts";
import type { StoredEvent } from "../rules/event.ts";
import type { BatchedDatabase } from "./batched-database.ts";

/** The table `events`: append, read and redact. */
export interface EventLog {
  insert(
    room: number,
    event: StoredEvent,
    relation: Relation | undefined,
    replaces: number | undefined,
  ): void;
  byId(id: string): StoredEvent | undefined;
  byStream(stream: number): StoredEvent | undefined;
  /** The id of the event already sent with this transaction id, so that a repeated send has no effect. */
  byTxn(room: number, type: string, device: number, txn: string): string | undefined;
  /** Events with `after` < position ≤ `upTo`, in the requested direction. */
  range(room: number, range: Range): StoredEvent[];
  /** The room state at the position `upTo`. */
  stateAt(room: number, upTo: number): StoredEvent[];
  stateHistory(room: number, type: string, stateKey: string): StoredEvent[];
  /** The last state event of each key in a range of positions. */
  stateChanges(room: number, after: number, upTo: number): StoredEvent[];
  redact(stream: number, content: JsonObject, by: number): void;
  /** The event closest to a time, in the given direction, that passes the test. */
  nearest(
    room: number,
    sentAt: number,
    direction: "f" | "b",
    test: (event: StoredEvent) => boolean,
  ): StoredEvent | undefined;
  /** The newest events of the rooms a user is in. */
  newestFor(userId: string, upTo: number, limit: number): StoredEvent[];
  count(): number;
}

interface Relation {
  parent: string;
  type: string;
}

interface Range {
  after: number;
  upTo: number;
  direction: "f" | "b";
  limit: number;
}

interface EventRow {
  stream: number;
  id: string;
  roomId: string;
  type: string;
  stateKey: string | null;
  sender: string;
  sentAt: number;
  depth: number;
  content: string;
  redacts: string | null;
  auth: string;
  hash: string;
  txn: string | null;
  oldId: string | null;
  oldSender: string | null;
  oldContent: string | null;
  redactionId: string | null;
  redactionSender: string | null;
  redactionAt: number | null;
  redactionContent: string | null;
}

export const eventColumns = `e.stream, e.id, r.id AS roomId, e.type, e.state_key AS stateKey, e.sender, e.sent_at AS sentAt,
  e.depth, e.content, e.redacts, e.auth, e.hash, e.txn, p.id AS oldId, p.sender AS oldSender, p.content AS oldContent,
  x.id AS redactionId, x.sender AS redactionSender, x.sent_at AS redactionAt, x.content AS redactionContent`;
export const eventSource = `events e JOIN rooms r ON r.n = e.room
  LEFT JOIN events p ON p.stream = e.replaces LEFT JOIN events x ON x.stream = e.redacted_by`;
const select = `SELECT ${eventColumns} FROM ${eventSource}`;
const latestOfEachKey = `SELECT max(stream) FROM events
  WHERE room = ?1 AND state_key IS NOT NULL AND stream > ?2 AND stream <= ?3 GROUP BY type, state_key`;

const pageSize = 100;
/** The size of an event without its content. */
const rowOverhead = 400;

export function openEventLog(db: BatchedDatabase): EventLog {
  const read = (sql: string, ...values: (string | number)[]): StoredEvent[] =>
    db.all<EventRow>(sql, ...values).map(readEventRow);
  const stateChanges = (room: number, after: number, upTo: number): StoredEvent[] =>
    read(`${select} WHERE e.stream IN (${latestOfEachKey}) ORDER BY e.stream`, room, after, upTo);
  return {
    insert(room, event, relation, replaces) {
      db.write(
        `INSERT INTO events (stream, room, id, type, state_key, sender, sent_at, depth, content, redacts, replaces, auth, hash,
           txn, parent, relation) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        event.stream,
        room,
        event.id,
        event.type,
        event.stateKey,
        event.sender,
        event.sentAt,
        event.depth,
        JSON.stringify(event.content),
        event.redacts,
        replaces,
        event.authEvents.join(" "),
        event.hash,
        event.txn && makeTxn(event.txn.device, event.txn.id),
        relation?.parent,
        relation?.type,
      );
    },
    byId: (id) => read(`${select} WHERE e.id = ?`, id)[0],
    byStream: (stream) => read(`${select} WHERE e.stream = ?`, stream)[0],
    byTxn: (room, type, device, txn) =>
      db.get<{ id: string }>(
        "SELECT id FROM events WHERE txn = ? AND room = ? AND type = ?",
        makeTxn(device, txn),
        room,
        type,
      )?.id,
    range: (room, { after, upTo, direction, limit }) =>
      read(
        `${select} WHERE e.room = ? AND e.stream > ? AND e.stream <= ?
         ORDER BY e.stream ${direction === "f" ? "ASC" : "DESC"} LIMIT ?`,
        room,
        after,
        upTo,
        limit,
      ),
    stateAt: (room, upTo) => stateChanges(room, 0, upTo),
    stateHistory: (room, type, stateKey) =>
      read(
        `${select} WHERE e.room = ? AND e.type = ? AND e.state_key = ? ORDER BY e.stream`,
        room,
        type,
        stateKey,
      ),
    stateChanges,
    redact(stream, content, by) {
      const text = JSON.stringify(content);
      db.write("UPDATE events SET content = ?, redacted_by = ? WHERE stream = ?", text, by, stream);
      db.write("DELETE FROM event_words WHERE rowid = ?", stream);
    },
    nearest(room, sentAt, direction, test) {
      const order = direction === "f" ? "ASC" : "DESC";
      const side = direction === "f" ? ">=" : "<=";
      for (let offset = 0; ; offset += pageSize) {
        const events = read(
          `${select} WHERE e.room = ? AND e.sent_at ${side} ?
           ORDER BY e.sent_at ${order}, e.stream ${order} LIMIT ? OFFSET ?`,
          room,
          sentAt,
          pageSize,
          offset,
        );
        const found = events.find(test);
        if (found || events.length < pageSize) return found;
      }
    },
    newestFor: (userId, upTo, limit) =>
      read(
        `${select} WHERE e.stream <= ? AND e.room IN (SELECT room FROM members WHERE user = ? AND membership IN ('join', 'invite'))
         ORDER BY e.stream DESC LIMIT ?`,
        upTo,
        userId,
        limit,
      ),
    count: () => db.get<{ n: number }>("SELECT count(*) AS n FROM events")?.n ?? 0,
  };
}

/** The stored form: device number, colon, client transaction id. */
function makeTxn(device: number, id: string): string {
  return `${device}:${id}`;
}

function readTxn(txn: string | null): StoredEvent["txn"] {
  if (txn === null) return undefined;
  const colon = txn.indexOf(":");
  return { device: Number(txn.slice(0, colon)), id: txn.slice(colon + 1) };
}

export function readEventRow(row: EventRow): StoredEvent {
  return {
    stream: row.stream,
    id: row.id,
    roomId: row.roomId,
    type: row.type,
    stateKey: row.stateKey ?? undefined,
    sender: row.sender,
    sentAt: row.sentAt,
    depth: row.depth,
    content: parseJson(row.content) as JsonObject,
    redacts: row.redacts ?? undefined,
    replaced:
      row.oldId === null
        ? undefined
        : {
            id: row.oldId,
            sender: row.oldSender as string,
            content: parseJson(row.oldContent as string) as JsonObject,
          },
    txn: readTxn(row.txn),
    redactedBecause:
      row.redactionId === null
        ? undefined
        : describeRedaction(row.id, {
            id: row.redactionId,
            roomId: row.roomId,
            sender: row.redactionSender as string,
            sentAt: row.redactionAt as number,
            content: parseJson(row.redactionContent as string) as JsonObject,
          }),
    authEvents: row.auth === "" ? [] : row.auth.split(" ").map(Number),
    hash: row.hash,
    bytes: row.content.length + rowOverhead,
  };
}
