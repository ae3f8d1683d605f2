import type { JsonObject } from "../json.ts";
import type { StoredEvent } from "../rules/event.ts";
import { filterEvent, filterKind, type SyncFilter } from "../rules/filter.ts";
import type { AccountData } from "./account-data.ts";
import type { EventLog } from "./event-log.ts";
import type { History } from "./history.ts";
import type { Member } from "./members.ts";
import type { Presenter } from "./presenter.ts";
import type { Receipts } from "./receipts.ts";
import { makeSummary, pickHeroes } from "../rules/room-summary.ts";
import type { Room } from "./rooms.ts";
import type { Session } from "./sessions.ts";
import type { Typing } from "./typing.ts";
import type { UnreadCounts } from "./unread.ts";
import { type EventWindow, readWindow } from "./window.ts";

export interface SyncRoomDeps {
  log: EventLog;
  history: History;
  presenter: Presenter;
  receipts: Receipts;
  typing: Typing;
  accountData: AccountData;
  unread: UnreadCounts;
}

/** One sync of one device. `since` 0 is a first sync. */
export interface SyncTurn {
  session: Session;
  since: number;
  upTo: number;
  isFull: boolean;
  /** The reader wants the state as it is after the timeline, not as it was before. */
  isStateAfter: boolean;
  filter: SyncFilter;
}

/** The sections of /sync about a room. */
export interface SyncRooms {
  joined(room: Room, member: Member, turn: SyncTurn): JsonObject | undefined;
  left(room: Room, member: Member, turn: SyncTurn): JsonObject;
}

const defaultLimit = 10;
const mostEvents = 1_000;

export function openSyncRooms(deps: SyncRoomDeps): SyncRooms {
  const { log, history, presenter, receipts, typing, accountData, unread } = deps;
  /** Whose membership a device has been told, by device and room: lazy loading does not repeat itself. */
  const told = new Map<string, Map<string, string>>();

  function readTimeline(room: Room, turn: SyncTurn, after: number, upTo: number): EventWindow {
    const { session, filter } = turn;
    return readWindow(log, room, history.viewer(room, session.userId), {
      after,
      upTo,
      limit: Math.min(filter.timeline.limit ?? defaultLimit, mostEvents),
      filter: filter.timeline,
    });
  }

  /** The state at a position: all of it, or what changed since. */
  function readState(
    room: Room,
    turn: SyncTurn,
    timeline: EventWindow,
    at: number,
    isWhole: boolean,
  ): StoredEvent[] {
    const state = isWhole
      ? at >= (room.last?.stream ?? 0)
        ? [...room.state.values()]
        : log.stateAt(room.n, at)
      : hasStateBetween(room, turn.since, at)
        ? log.stateChanges(room.n, turn.since, at)
        : [];
    const { state: filter } = turn.filter;
    return (filter.lazyLoad ? withoutIdleMembers(room, turn, timeline, state, at, isWhole) : state).filter(
      (event) => filterEvent(filter, event),
    );
  }

  function withoutIdleMembers(
    room: Room,
    turn: SyncTurn,
    timeline: EventWindow,
    state: StoredEvent[],
    at: number,
    isWhole: boolean,
  ): StoredEvent[] {
    const { state: filter } = turn.filter;
    const key = `${turn.session.device}/${room.n}`;
    if (turn.since === 0) told.delete(key);
    const known = told.get(key) ?? new Map<string, string>();
    told.set(key, known);
    const wanted = new Set(timeline.events.map(({ sender }) => sender));
    if (isWhole)
      for (const userId of [turn.session.userId, ...pickHeroes(room, turn.session.userId)])
        wanted.add(userId);
    const before = new Map<string, StoredEvent>();
    for (const event of state) if (event.type === "m.room.member") before.set(event.stateKey ?? "", event);
    // Who came or went in a gap was never in a timeline.
    if (!isWhole) for (const userId of before.keys()) wanted.add(userId);
    const inTimeline = new Set(
      timeline.events.filter(({ type }) => type === "m.room.member").map(({ stateKey }) => stateKey),
    );
    const members: StoredEvent[] = [];
    for (const userId of wanted) {
      const member =
        before.get(userId) ?? (inTimeline.has(userId) ? undefined : memberEvent(room, userId, at));
      if (!member || (!isWhole && !filter.includeRedundant && known.get(userId) === member.id)) continue;
      known.set(userId, member.id);
      members.push(member);
    }
    for (const event of timeline.events)
      if (event.type === "m.room.member") known.set(event.stateKey ?? "", event.id);
    return [...state.filter(({ type }) => type !== "m.room.member"), ...members];
  }

  function memberEvent(room: Room, userId: string, at: number): StoredEvent | undefined {
    const current = room.state.get(`m.room.member\0${userId}`);
    if (!current || current.stream <= at) return current;
    return log.stateHistory(room.n, "m.room.member", userId).findLast(({ stream }) => stream <= at);
  }

  function readEphemeral(room: Room, turn: SyncTurn, since: number): JsonObject[] {
    const { ephemeral: filter } = turn.filter;
    const events: JsonObject[] = [];
    const typists = typing.in(room);
    if (typists.changedAt > since && (since > 0 || typists.userIds.length > 0))
      events.push({ type: "m.typing", content: { user_ids: typists.userIds } });
    if (receipts.changedAt(room) > since)
      for (const content of showReceipts(room, turn.session.userId, since))
        events.push({ type: "m.receipt", content });
    return events.filter(({ type }) => filterKind(filter, type as string));
  }

  /** One event has room for one receipt of a user at an event: what is left over (in another thread) goes into a next one. */
  function showReceipts(room: Room, reader: string, since: number): JsonObject[] {
    const contents: Record<string, Record<string, JsonObject>>[] = [];
    for (const { userId, type, thread, eventId, sentAt } of receipts.since(room, since)) {
      if (type === "m.read.private" && userId !== reader) continue;
      let content = contents.find((shown) => shown[eventId]?.[type]?.[userId] === undefined);
      if (!content) contents.push((content = {}));
      const byType = (content[eventId] ??= {});
      byType[type] = {
        ...byType[type],
        [userId]: thread === "" ? { ts: sentAt } : { ts: sentAt, thread_id: thread },
      };
    }
    return contents;
  }

  function addUnread(room: Room, turn: SyncTurn, section: JsonObject): void {
    const { main, threads } = unread.of(room, turn.session.userId);
    const isSplit = turn.filter.timeline.unreadThreads;
    const all = isSplit ? [main] : [main, ...threads.values()];
    section.unread_notifications = {
      highlight_count: all.reduce((sum, { highlight }) => sum + highlight, 0),
      notification_count: all.reduce((sum, { notify }) => sum + notify, 0),
    };
    if (isSplit && threads.size > 0)
      section.unread_thread_notifications = Object.fromEntries(
        [...threads].map(([root, { notify, highlight }]) => [
          root,
          { notification_count: notify, highlight_count: highlight },
        ]),
      );
  }

  function showTimeline(room: Room, turn: SyncTurn, window: EventWindow, isLimited: boolean): JsonObject {
    const viewer = history.viewer(room, turn.session.userId);
    const how = {
      withRoomId: false,
      fields: turn.filter.fields,
      isFederationFormat: turn.filter.isFederationFormat,
    };
    return {
      events: presenter.show(room, window.events, turn.session, viewer, how),
      limited: isLimited,
      prev_batch: `s${window.start}`,
    };
  }

  function showState(room: Room, turn: SyncTurn, state: StoredEvent[]): JsonObject {
    const { fields, isFederationFormat } = turn.filter;
    const how = { withRoomId: false, fields, isFederationFormat };
    const events = presenter.show(room, state, turn.session, undefined, how);
    return { [turn.isStateAfter ? "state_after" : "state"]: { events } };
  }

  return {
    joined(room, member, turn) {
      const { since, session } = turn;
      const isNew = since === 0 || (member.joinedAt ?? 0) > since;
      const from = isNew ? 0 : since;
      if (!isNew && !turn.isFull && !hasNews(room, session.userId, since)) return undefined;
      const window = readTimeline(room, turn, from, turn.upTo);
      const at = turn.isStateAfter ? turn.upTo : window.start;
      const state = readState(room, turn, window, at, isNew || turn.isFull);
      const data = accountData
        .since(session.userId, room.id, turn.isFull ? 0 : from)
        .filter(({ type }) => filterKind(turn.filter.roomAccountData, type));
      const ephemeral = readEphemeral(room, turn, from);
      const isEmpty = window.events.length + state.length + data.length + ephemeral.length === 0;
      if (isEmpty && !isNew && !turn.isFull && !window.isLimited) return undefined;
      const section: JsonObject = {
        timeline: showTimeline(room, turn, window, window.isLimited || (isNew && since > 0)),
        ...showState(room, turn, state),
        ephemeral: { events: ephemeral },
        account_data: { events: data.map(({ type, content }) => ({ type, content })) },
        summary: {},
      };
      if (isNew || turn.isFull || changedMembers(room, since))
        section.summary = makeSummary(room, session.userId);
      addUnread(room, turn, section);
      return section;
    },
    left(room, member, turn) {
      if (!member.wasJoined || member.isForgotten) {
        const event = room.state.get(`m.room.member\0${turn.session.userId}`);
        const window = { events: event ? [event] : [], isLimited: false, start: member.stream - 1 };
        return {
          timeline: { ...bare(window), ...showOwn(room, turn, window) },
          ...showState(room, turn, []),
        };
      }
      const isNew = turn.since === 0 || turn.isFull || hasComeSince(room, turn);
      const from = isNew ? 0 : turn.since;
      const window = readTimeline(room, turn, from, member.stream);
      const at = turn.isStateAfter ? member.stream : window.start;
      const state = readState(room, turn, window, at, isNew);
      const data = accountData.since(turn.session.userId, room.id, from);
      return {
        timeline: showTimeline(room, turn, window, window.isLimited),
        ...showState(room, turn, state),
        account_data: { events: data.map(({ type, content }) => ({ type, content })) },
      };
    },
  };

  function hasNews(room: Room, userId: string, since: number): boolean {
    return (
      (room.last?.stream ?? 0) > since ||
      receipts.changedAt(room) > since ||
      typing.in(room).changedAt > since ||
      accountData.changedAt(userId, room.id) > since
    );
  }

  /** Whoever comes and goes between two syncs has nothing of the room yet. */
  function hasComeSince(room: Room, { session, since }: SyncTurn): boolean {
    const own = log.stateHistory(room.n, "m.room.member", session.userId);
    const before = own.findLast(({ stream }) => stream <= since);
    const isJoin = (event: StoredEvent | undefined): boolean => event?.content.membership === "join";
    return !isJoin(before) && own.some((event) => event.stream > since && isJoin(event));
  }

  function showOwn(room: Room, turn: SyncTurn, window: EventWindow): JsonObject {
    return { events: presenter.show(room, window.events, turn.session, undefined, { withRoomId: false }) };
  }
}

function bare(window: EventWindow): JsonObject {
  return { limited: false, prev_batch: `s${window.start}` };
}

/** Only looks where the answer is in memory; otherwise there may be. */
function hasStateBetween(room: Room, after: number, upTo: number): boolean {
  if (upTo <= after) return false;
  const recent = room.recentSince(after);
  return !recent || recent.some(({ stream, stateKey }) => stateKey !== undefined && stream <= upTo);
}

function changedMembers(room: Room, since: number): boolean {
  const recent = room.recentSince(since);
  return !recent || recent.some(({ type }) => type === "m.room.member");
}
