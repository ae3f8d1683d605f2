import type { StoredEvent } from "../rules/event.ts";
import { readPowerLevels } from "../rules/power.ts";
import { evaluateRules, type PushContext, noNotification, type Verdict } from "../rules/push-evaluate.ts";
import { readRelation, type RelatesTo } from "../rules/relation.ts";
import type { EventLog } from "./event-log.ts";
import type { IgnoredUsers } from "./ignored-users.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { Members } from "./members.ts";
import type { PushRules } from "./push-rules.ts";
import type { Receipts } from "./receipts.ts";
import type { Room } from "./rooms.ts";

interface Count {
  notify: number;
  highlight: number;
}

interface Unread {
  main: Count;
  threads: Map<string, Count>;
}

/**
 * Unread counts: events after the user's receipts that match a notifying push rule. Counted incrementally on request, so that
 * a send costs nothing for members who do not sync.
 */
export interface UnreadCounts {
  of(room: Room, userId: string): Unread;
  evaluate(room: Room, userId: string, event: StoredEvent): Verdict;
  threadOf(room: Room, event: StoredEvent): string;
  /** Whether the event is the thread root or relates to it, directly or through other events. */
  isInThread(room: Room, event: StoredEvent, thread: string): boolean;
}

interface Tally extends Unread {
  countedTo: number;
  /** Identifies the receipts, join and push rules that the count is based on. */
  basis: string;
}

/** Maximum number of events counted after a restart. */
const maxCounted = 5_000;
/** The limit that the specification recommends. */
const maxHops = 3;

export function openUnreadCounts(deps: {
  db: BatchedDatabase;
  log: EventLog;
  members: Members;
  receipts: Receipts;
  pushRules: PushRules;
  ignoredUsers: IgnoredUsers;
}): UnreadCounts {
  const { db, log, members, receipts, pushRules, ignoredUsers } = deps;
  const tallies = new Map<string, Tally>();
  db.onInvalidate(() => tallies.clear());

  function evaluate(room: Room, userId: string, event: StoredEvent): Verdict {
    if (event.sender === userId || event.redactedBecause || ignoredUsers(userId).has(event.sender))
      return noNotification;
    const name = room.view("m.room.member", userId)?.content.displayname;
    const context: PushContext = {
      displayName: typeof name === "string" ? name : undefined,
      memberCount: room.joined.size,
      mayNotify(sender, key) {
        const levels = readPowerLevels(room.view);
        return levels.of(sender) >= levels.toNotify(key);
      },
    };
    return evaluateRules(pushRules.get(userId), event, context);
  }

  function eventsAfter(room: Room, after: number): readonly StoredEvent[] {
    const range = { after, upTo: Number.MAX_SAFE_INTEGER, direction: "b" as const, limit: maxCounted };
    return room.recentSince(after) ?? log.range(room.n, range).toReversed();
  }

  function of(room: Room, userId: string): Unread {
    const own = receipts.of(room, userId);
    const joinPosition = members.in(userId, room.id)?.joinPosition ?? 0;
    const newest = own.reduce((latest, { stream }) => Math.max(latest, stream), 0);
    const basis = `${newest}/${joinPosition}/${pushRules.changedAt(userId)}`;
    const key = `${room.n}/${userId}`;
    let tally = tallies.get(key);
    const floor = (thread: string): number =>
      own
        .filter((receipt) => receipt.thread === "" || receipt.thread === thread)
        .reduce((latest, { eventStream }) => Math.max(latest, eventStream), joinPosition);
    const everywhere = floor("");
    let fresh = tally?.basis === basis ? eventsAfter(room, tally.countedTo) : undefined;
    // Redacted events no longer count: count again, if that is possible from memory.
    if (fresh?.some(({ type }) => type === "m.room.redaction") && room.recentSince(everywhere))
      fresh = undefined;
    if (!tally || !fresh) {
      tally = { basis, countedTo: everywhere, main: { notify: 0, highlight: 0 }, threads: new Map() };
      tallies.set(key, tally);
      fresh = eventsAfter(room, everywhere);
    }
    for (const event of fresh) {
      tally.countedTo = event.stream;
      const thread = threadOf(room, event);
      if (own.length > 0 && event.stream <= floor(thread)) continue;
      const { notify, highlight } = evaluate(room, userId, event);
      if (notify) count(tally, thread, highlight);
    }
    return tally;
  }

  /** Yields the event and its chain of parents, each with its own relation. */
  function* followRelations(room: Room, event: StoredEvent): Generator<[StoredEvent, RelatesTo | undefined]> {
    let current: StoredEvent | undefined = event;
    for (let hop = 0; current && hop <= maxHops; hop++) {
      const relation: RelatesTo | undefined = readRelation(current.content);
      yield [current, relation];
      current = relation && (room.find(relation.parent) ?? log.byId(relation.parent));
    }
  }

  /** The thread root of an event, directly or through its parents; otherwise "main". */
  function threadOf(room: Room, event: StoredEvent): string {
    for (const [, relation] of followRelations(room, event))
      if (relation?.type === "m.thread") return relation.parent;
    return "main";
  }

  function isInThread(room: Room, event: StoredEvent, thread: string): boolean {
    if (thread === "main") return threadOf(room, event) === "main";
    return [...followRelations(room, event)].some(([{ id }]) => id === thread);
  }

  return { of, evaluate, threadOf, isInThread };
}

function count(tally: Tally, thread: string, isHighlight: boolean): void {
  let counts = tally.main;
  if (thread !== "main") {
    counts = tally.threads.get(thread) ?? { notify: 0, highlight: 0 };
    tally.threads.set(thread, counts);
  }
  counts.notify++;
  if (isHighlight) counts.highlight++;
}
