import type { StoredEvent } from "../rules/event.ts";
import { pickHeroes } from "../rules/room-summary.ts";
import type { EventLog } from "./event-log.ts";
import { type Room, stateKeyOf } from "./rooms.ts";
import type { SyncTurn } from "./sync-turn.ts";

export interface StateAt {
  state: StoredEvent[];
  position: number;
  /** All of it, as opposed to what changed. */
  isWhole: boolean;
}

/** Of a room's state, without the members of whom a reader need not know yet: those who neither speak nor stand for the room. */
export type LazyMembers = (
  room: Room,
  turn: SyncTurn,
  timeline: readonly StoredEvent[],
  at: StateAt,
) => StoredEvent[];

export function openLazyMembers(log: EventLog): LazyMembers {
  /** Whose membership a device has been told, by device and room: lazy loading does not repeat itself. */
  const told = new Map<string, Map<string, string>>();

  function load({ session, since }: SyncTurn, room: Room): Map<string, string> {
    const key = `${session.device}/${room.n}`;
    const known = (since === 0 ? undefined : told.get(key)) ?? new Map<string, string>();
    told.set(key, known);
    return known;
  }

  function memberAt(room: Room, userId: string, position: number): StoredEvent | undefined {
    const current = room.state.get(stateKeyOf("m.room.member", userId));
    if (!current || current.stream <= position) return current;
    return log.stateHistory(room.n, "m.room.member", userId).findLast(({ stream }) => stream <= position);
  }

  return (room, turn, timeline, { state, position, isWhole }) => {
    const known = load(turn, room);
    const given = new Map<string, StoredEvent>();
    for (const event of state) if (event.type === "m.room.member") given.set(event.stateKey ?? "", event);
    const wanted = new Set(timeline.map(({ sender }) => sender));
    const { userId: reader } = turn.session;
    // Who came or went in a gap was never in a timeline.
    for (const userId of isWhole ? [reader, ...pickHeroes(room, reader)] : given.keys()) wanted.add(userId);
    const inTimeline = timeline.filter(({ type }) => type === "m.room.member");
    const shown = new Set(inTimeline.map(({ stateKey }) => stateKey));
    const members: StoredEvent[] = [];
    for (const userId of wanted) {
      const member = given.get(userId) ?? (shown.has(userId) ? undefined : memberAt(room, userId, position));
      const isRepeated = !isWhole && !turn.filter.state.includeRedundant && known.get(userId) === member?.id;
      if (!member || isRepeated) continue;
      known.set(userId, member.id);
      members.push(member);
    }
    for (const { stateKey = "", id } of inTimeline) known.set(stateKey, id);
    return [...state.filter(({ type }) => type !== "m.room.member"), ...members];
  };
}
