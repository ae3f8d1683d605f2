import type { StoredEvent } from "../rules/event.ts";
import { pickHeroes } from "../rules/room-summary.ts";
import type { EventLog } from "./event-log.ts";
import { type Room, stateKeyOf } from "./rooms.ts";
import type { SyncRange } from "./sync-range.ts";

interface StateAt {
  state: StoredEvent[];
  position: number;
  /** The full state, not only the changes. */
  isFullState: boolean;
}

/** Reduces the members in a room's state to those a client needs: the senders of the timeline, the heroes and the reader. */
type LazyMembers = (
  room: Room,
  range: SyncRange,
  timeline: readonly StoredEvent[],
  at: StateAt,
) => StoredEvent[];

export function openLazyMembers(log: EventLog): LazyMembers {
  /** Member events already sent, by device and room, to avoid sending them again. */
  const sent = new Map<string, Map<string, string>>();

  function load({ session, since }: SyncRange, room: Room): Map<string, string> {
    const key = `${session.device}/${room.n}`;
    const known = (since === 0 ? undefined : sent.get(key)) ?? new Map<string, string>();
    sent.set(key, known);
    return known;
  }

  function memberAt(room: Room, userId: string, position: number): StoredEvent | undefined {
    const current = room.state.get(stateKeyOf("m.room.member", userId));
    if (!current || current.stream <= position) return current;
    return log.stateHistory(room.n, "m.room.member", userId).findLast(({ stream }) => stream <= position);
  }

  return (room, range, timeline, { state, position, isFullState }) => {
    const known = load(range, room);
    const given = new Map<string, StoredEvent>();
    for (const event of state) if (event.type === "m.room.member") given.set(event.stateKey ?? "", event);
    const wanted = new Set(timeline.map(({ sender }) => sender));
    const { userId: reader } = range.session;
    // Membership changes in a gap never appear in a timeline.
    for (const userId of isFullState ? [reader, ...pickHeroes(room, reader)] : given.keys())
      wanted.add(userId);
    const inTimeline = timeline.filter(({ type }) => type === "m.room.member");
    const shown = new Set(inTimeline.map(({ stateKey }) => stateKey));
    const members: StoredEvent[] = [];
    for (const userId of wanted) {
      const member = given.get(userId) ?? (shown.has(userId) ? undefined : memberAt(room, userId, position));
      const isRepeated =
        !isFullState && !range.filter.state.includeRedundant && known.get(userId) === member?.id;
      if (!member || isRepeated) continue;
      known.set(userId, member.id);
      members.push(member);
    }
    for (const { stateKey = "", id } of inTimeline) known.set(stateKey, id);
    return [...state.filter(({ type }) => type !== "m.room.member"), ...members];
  };
}
