import type { JsonObject } from "../json.ts";
import type { StoredEvent } from "../rules/event.ts";
import { filterEvent, filterKind } from "../rules/filter.ts";
import { makeReceiptContents } from "../rules/receipt-events.ts";
import { makeSummary } from "../rules/room-summary.ts";
import type { AccountData } from "./account-data.ts";
import type { EventLog } from "./event-log.ts";
import type { History } from "./history.ts";
import { openLazyMembers } from "./lazy-members.ts";
import type { Member } from "./members.ts";
import type { Presenter } from "./presenter.ts";
import type { Receipts } from "./receipts.ts";
import { type Room, stateKeyOf } from "./rooms.ts";
import type { SyncRange } from "./sync-range.ts";
import type { Typing } from "./typing.ts";
import type { UnreadCounts } from "./unread.ts";
import { type EventWindow, readWindow } from "./window.ts";

interface SyncRoomDeps {
  log: EventLog;
  history: History;
  presenter: Presenter;
  receipts: Receipts;
  typing: Typing;
  accountData: AccountData;
  unread: UnreadCounts;
}

/** Builds the /sync section of a room. */
export interface SyncRooms {
  showJoined(room: Room, member: Member, range: SyncRange): JsonObject | undefined;
  showLeft(room: Room, member: Member, range: SyncRange): JsonObject;
}

const defaultLimit = 10;
const maxEvents = 1_000;

export function openSyncRooms(deps: SyncRoomDeps): SyncRooms {
  const { log, history, presenter, receipts, typing, accountData, unread } = deps;
  const lazyMembers = openLazyMembers(log);

  function readTimeline(room: Room, range: SyncRange, after: number, upTo: number): EventWindow {
    const { session, filter } = range;
    return readWindow(log, room, history.viewer(room, session.userId), {
      after,
      upTo,
      limit: Math.min(filter.timeline.limit ?? defaultLimit, maxEvents),
      filter: filter.timeline,
      budget: range.budget.timeline,
    });
  }

  /** The state at a position: in full, or the changes since the last sync. */
  function readState(
    room: Room,
    range: SyncRange,
    timeline: EventWindow,
    at: number,
    isFullState: boolean,
  ): StoredEvent[] {
    const state = isFullState ? fullState(room, at) : changedState(room, range.since, at);
    const { state: filter } = range.filter;
    const wanted = filter.lazyLoad
      ? lazyMembers(room, range, timeline.events, { state, position: at, isFullState })
      : state;
    return wanted.filter((event) => filterEvent(filter, event));
  }

  function fullState(room: Room, at: number): StoredEvent[] {
    return at >= (room.last?.stream ?? 0) ? [...room.state.values()] : log.stateAt(room.n, at);
  }

  function changedState(room: Room, since: number, at: number): StoredEvent[] {
    return mayHaveStateBetween(room, since, at) ? log.stateChanges(room.n, since, at) : [];
  }

  function readData(room: Room, range: SyncRange, since: number): JsonObject[] {
    return accountData
      .since(range.session.userId, room.id, since)
      .filter(({ type }) => filterKind(range.filter.roomAccountData, type))
      .map(({ type, content }) => ({ type, content }));
  }

  function readEphemeral(room: Room, range: SyncRange, since: number): JsonObject[] {
    const { ephemeral: filter } = range.filter;
    const events: JsonObject[] = [];
    const typists = typing.in(room);
    if (typists.changedAt > since && (since > 0 || typists.userIds.length > 0))
      events.push({ type: "m.typing", content: { user_ids: typists.userIds } });
    if (receipts.changedAt(room) > since)
      for (const content of makeReceiptContents(receipts.since(room, since), range.session.userId))
        events.push({ type: "m.receipt", content });
    return events.filter(({ type }) => filterKind(filter, type as string));
  }

  function addUnread(room: Room, range: SyncRange, section: JsonObject): void {
    const { main, threads } = unread.of(room, range.session.userId);
    const isSplit = range.filter.timeline.unreadThreads;
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

  function showTimeline(room: Room, range: SyncRange, window: EventWindow, isLimited: boolean): JsonObject {
    const viewer = history.viewer(room, range.session.userId);
    const how = {
      withRoomId: false,
      fields: range.filter.fields,
      isFederationFormat: range.filter.isFederationFormat,
    };
    return {
      events: presenter.show(room, window.events, range.session, viewer, how),
      limited: isLimited,
      prev_batch: `s${window.start}`,
    };
  }

  function showState(room: Room, range: SyncRange, state: StoredEvent[]): JsonObject {
    const { fields, isFederationFormat } = range.filter;
    const how = { withRoomId: false, fields, isFederationFormat };
    range.budget.addState(state);
    const events = presenter.show(room, state, range.session, undefined, how);
    return { [range.isStateAfter ? "state_after" : "state"]: { events } };
  }

  return {
    showJoined(room, member, range) {
      const { since, session } = range;
      const isNew = since === 0 || (member.joinPosition ?? 0) > since;
      const from = isNew ? 0 : since;
      if (!isNew && !range.isFull && !hasNews(room, session.userId, since)) return undefined;
      const window = readTimeline(room, range, from, range.upTo);
      const at = range.isStateAfter ? range.upTo : window.start;
      const state = readState(room, range, window, at, isNew || range.isFull);
      const data = readData(room, range, range.isFull ? 0 : from);
      const ephemeral = readEphemeral(room, range, from);
      const isEmpty = window.events.length + state.length + data.length + ephemeral.length === 0;
      if (isEmpty && !isNew && !range.isFull && !window.isLimited) return undefined;
      const section: JsonObject = {
        timeline: showTimeline(room, range, window, window.isLimited || (isNew && since > 0)),
        ...showState(room, range, state),
        ephemeral: { events: ephemeral },
        account_data: { events: data },
        summary: {},
      };
      if (isNew || range.isFull || changedMembers(room, since))
        section.summary = makeSummary(room, session.userId);
      addUnread(room, range, section);
      return section;
    },
    showLeft(room, member, range) {
      if (!member.wasJoined || member.isForgotten) return showLeaveOnly(room, member, range);
      const isNew = range.since === 0 || range.isFull || hasJoinedSince(room, range);
      const from = isNew ? 0 : range.since;
      const window = readTimeline(room, range, from, member.stream);
      const at = range.isStateAfter ? member.stream : window.start;
      const state = readState(room, range, window, at, isNew);
      return {
        timeline: showTimeline(room, range, window, window.isLimited),
        ...showState(room, range, state),
        account_data: { events: readData(room, range, from) },
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

  /** Whether the user joined and left since the last sync, so that the client does not know the room yet. */
  function hasJoinedSince(room: Room, { session, since }: SyncRange): boolean {
    const own = log.stateHistory(room.n, "m.room.member", session.userId);
    const before = own.findLast(({ stream }) => stream <= since);
    const isJoin = (event: StoredEvent | undefined): boolean => event?.content.membership === "join";
    return !isJoin(before) && own.some((event) => event.stream > since && isJoin(event));
  }

  /** For a room that the user never joined or has forgotten: only their leave event. */
  function showLeaveOnly(room: Room, member: Member, range: SyncRange): JsonObject {
    const own = room.state.get(stateKeyOf("m.room.member", range.session.userId));
    const events = presenter.show(room, own ? [own] : [], range.session, undefined, { withRoomId: false });
    return {
      timeline: { events, limited: false, prev_batch: `s${member.stream - 1}` },
      ...showState(room, range, []),
    };
  }
}

/** Checks memory only. True if the range is not in memory. */
export function mayHaveStateBetween(room: Room, after: number, upTo: number): boolean {
  if (upTo <= after) return false;
  const recent = room.recentSince(after);
  return !recent || recent.some(({ stream, stateKey }) => stateKey !== undefined && stream <= upTo);
}

function changedMembers(room: Room, since: number): boolean {
  const recent = room.recentSince(since);
  return !recent || recent.some(({ type }) => type === "m.room.member");
}
