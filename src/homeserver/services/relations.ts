import type { JsonObject } from "../json.ts";
import { toClientEvent } from "../rules/client-event.ts";
import type { StoredEvent } from "../rules/event.ts";
import { readRelation } from "../rules/relation.ts";
import { eventColumns, eventSource, readEventRow } from "./event-log.ts";
import type { IgnoredUsers } from "./ignored-users.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { Room } from "./rooms.ts";

interface RelationQuery {
  parent: string;
  relation?: string | undefined;
  type?: string | undefined;
  after: number;
  upTo: number;
  direction: "f" | "b";
  limit: number;
  /** Users whose events are excluded. */
  without?: ReadonlySet<string>;
}

interface Annotation {
  parent: string;
  sender: string;
  type: string;
  key: string;
}

/** Relations between events, as lists and as bundles for the parent event. */
export interface Relations {
  children(room: Room, query: RelationQuery): StoredEvent[];
  /** Whether the sender has already annotated the event with this key, such as a reaction. */
  hasAnnotation(room: Room, annotation: Annotation): boolean;
  /** `m.relations` of an event for this reader, or undefined. */
  bundle(room: Room, event: StoredEvent, reader: string, now: number): JsonObject | undefined;
  /** Thread roots, the most recently active first. */
  threads(
    room: Room,
    participant: string | undefined,
    before: number,
    limit: number,
  ): { root: string; last: number }[];
}

export function openRelations(db: BatchedDatabase, ignoredUsers: IgnoredUsers): Relations {
  const read = (sql: string, ...values: (string | number | undefined)[]): StoredEvent[] =>
    db.all<Parameters<typeof readEventRow>[0]>(sql, ...values).map(readEventRow);
  const children = (room: Room, query: RelationQuery): StoredEvent[] =>
    read(
      `SELECT ${eventColumns} FROM ${eventSource}
       WHERE e.parent = ?1 AND e.room = ?2 AND e.redacted_by IS NULL AND (?3 IS NULL OR e.relation = ?3)
         AND (?4 IS NULL OR e.type = ?4) AND e.stream > ?5 AND e.stream <= ?6 AND ${isNotIn("e.sender", "?8")}
       ORDER BY e.stream ${query.direction === "f" ? "ASC" : "DESC"} LIMIT ?7`,
      query.parent,
      room.n,
      query.relation,
      query.type,
      query.after,
      query.upTo,
      query.limit,
      toList(query.without),
    );
  const newest = (
    room: Room,
    query: Pick<RelationQuery, "parent" | "relation" | "without" | "limit">,
  ): StoredEvent[] => children(room, { ...query, after: 0, upTo: Number.MAX_SAFE_INTEGER, direction: "b" });

  function bundleThread(room: Room, event: StoredEvent, reader: string, now: number): JsonObject | undefined {
    const without = ignoredUsers(reader);
    const [latest] = newest(room, { parent: event.id, relation: "m.thread", without, limit: 1 });
    if (!latest) return undefined;
    const { count = 0, own = 0 } =
      db.get<{ count: number; own: number }>(
        `SELECT count(*) AS count, coalesce(sum(sender = ?3), 0) AS own FROM events
         WHERE parent = ?1 AND room = ?2 AND relation = 'm.thread' AND redacted_by IS NULL AND ${isNotIn("sender", "?4")}`,
        event.id,
        room.n,
        reader,
        toList(without),
      ) ?? {};
    const relations = room.parents.has(latest.id) ? bundleEdit(room, latest, now) : undefined;
    return {
      latest_event: toClientEvent(latest, {
        now,
        withRoomId: true,
        relations: relations && { "m.replace": relations },
      }),
      count,
      current_user_participated: own > 0 || event.sender === reader,
    };
  }

  /** The newest valid edit: same sender, same type, not state, not itself an edit. */
  function bundleEdit(room: Room, event: StoredEvent, now: number): JsonObject | undefined {
    if (event.stateKey !== undefined || readRelation(event.content)?.type === "m.replace") return undefined;
    const edit = newest(room, { parent: event.id, relation: "m.replace", limit: 50 }).find(
      ({ sender, type, stateKey, content }) =>
        sender === event.sender &&
        type === event.type &&
        stateKey === undefined &&
        (content["m.new_content"] !== undefined || type === "m.room.encrypted"),
    );
    return edit && toClientEvent(edit, { now, withRoomId: true });
  }

  return {
    children,
    hasAnnotation: (room, { parent, sender, type, key }) =>
      db.get(
        `SELECT 1 FROM events WHERE parent = ? AND room = ? AND relation = 'm.annotation' AND sender = ? AND type = ?
           AND redacted_by IS NULL AND json_extract(content, '$."m.relates_to".key') = ?`,
        parent,
        room.n,
        sender,
        type,
        key,
      ) !== undefined,
    bundle(room, event, reader, now) {
      if (!room.parents.has(event.id) || event.redactedBecause) return undefined;
      const thread = bundleThread(room, event, reader, now);
      const edit = bundleEdit(room, event, now);
      const references = newest(room, {
        parent: event.id,
        relation: "m.reference",
        without: ignoredUsers(reader),
        limit: 100,
      }).map(({ id }) => ({ event_id: id }));
      const bundled: JsonObject = {};
      if (thread) bundled["m.thread"] = thread;
      if (edit) bundled["m.replace"] = edit;
      if (references.length > 0) bundled["m.reference"] = { chunk: references.toReversed() };
      return Object.keys(bundled).length > 0 ? bundled : undefined;
    },
    threads: (room, participant, before, limit) =>
      db.all(
        `SELECT parent AS root, max(stream) AS last FROM events t
         WHERE room = ?1 AND relation = 'm.thread' AND parent IS NOT NULL AND redacted_by IS NULL
           AND (?2 IS NULL OR EXISTS (SELECT 1 FROM events o WHERE o.parent = t.parent AND o.relation = 'm.thread' AND o.sender = ?2)
             OR EXISTS (SELECT 1 FROM events o WHERE o.id = t.parent AND o.sender = ?2))
         GROUP BY parent HAVING last < ?3 ORDER BY last DESC LIMIT ?4`,
        room.n,
        participant,
        before,
        limit,
      ),
  };
}

/** SQL condition: the column's value is not in a JSON list. */
function isNotIn(column: string, list: string): string {
  return `${column} NOT IN (SELECT value FROM json_each(${list}))`;
}

function toList(users: ReadonlySet<string> = new Set()): string {
  return JSON.stringify([...users]);
}
