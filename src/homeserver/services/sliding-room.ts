import type { Clock } from "../../shared/clock.ts";
import type { JsonObject } from "../json.ts";
import type { Membership, StoredEvent } from "../rules/event.ts";
import { passAllFilter } from "../rules/filter.ts";
import { makeSummary, pickHeroes } from "../rules/room-summary.ts";
import type { RoomConfig, StatePattern } from "../rules/sliding-request.ts";
import type { AccountData } from "./account-data.ts";
import type { EventLog } from "./event-log.ts";
import type { History, Viewer } from "./history.ts";
import type { Member } from "./members.ts";
import type { Presenter } from "./presenter.ts";
import { type Room, stateKeyOf } from "./rooms.ts";
import type { Session } from "./sessions.ts";
import { listStrippedState } from "./sync.ts";
import type { SyncBudget } from "./sync-budget.ts";
import { mayHaveStateBetween } from "./sync-room.ts";
import type { UnreadCounts } from "./unread.ts";
import { type EventWindow, readWindow } from "./window.ts";

/** A room as a connection last sent it. */
export interface SentRoom {
  upTo: number;
  membership: Membership;
  config: RoomConfig;
}

interface RoomTurn {
  session: Session;
  config: RoomConfig;
  sent: SentRoom | undefined;
  upTo: number;
  /** The position of the previous response of the connection; 0 for the first. */
  since: number;
  budget: SyncBudget;
}

/** Builds a room of a sliding sync response. Undefined if nothing has changed since it was sent. */
export interface SlidingRooms {
  show(room: Room, member: Member, turn: RoomTurn): JsonObject | undefined;
}

interface SlidingRoomDeps {
  log: EventLog;
  history: History;
  presenter: Presenter;
  accountData: AccountData;
  unread: UnreadCounts;
  clock: Clock;
}

/** Events that move a room up in a client's list. */
const bumpTypes: readonly string[] = [
  "m.room.create",
  "m.room.message",
  "m.room.encrypted",
  "m.sticker",
  "m.call.invite",
  "m.poll.start",
  "m.beacon_info",
];

export function openSlidingRooms(deps: SlidingRoomDeps): SlidingRooms {
  const { log, history, presenter, accountData, unread, clock } = deps;

  function showJoined(room: Room, member: Member, turn: RoomTurn): JsonObject | undefined {
    const { session, config, upTo } = turn;
    const { userId } = session;
    // A room that was sent as an invitation is sent again in full.
    const sent = turn.sent?.membership === "join" ? turn.sent : undefined;
    const from = sent && (member.joinPosition ?? 0) <= sent.upTo ? sent.upTo : 0;
    const isExpanded = sent !== undefined && config.timelineLimit > sent.config.timelineLimit;
    const needsState = from === 0 || !covers(sent?.config.requiredState ?? [], config.requiredState);
    const directChanged = accountData.changedAt(userId, "") > from && from > 0;
    if (from > 0 && !isExpanded && !needsState && (room.last?.stream ?? 0) <= from && !directChanged)
      return undefined;
    const viewer = history.viewer(room, userId);
    const window = readTimeline(room, viewer, turn, isExpanded ? 0 : from);
    const state = needsState
      ? [...room.state.values()]
      : mayHaveStateBetween(room, from, upTo)
        ? log.stateChanges(room.n, from, upTo)
        : [];
    const required = requireState(room, turn, window, state, from === 0);
    turn.budget.addState(required);
    const isDm = isDirect(accountData, userId, room.id);
    return {
      ...(from === 0 ? { initial: true } : {}),
      ...(isExpanded && from > 0 ? { unstable_expanded_timeline: true } : {}),
      ...showNames(room, userId, from),
      ...(isDm || directChanged ? { is_dm: isDm } : {}),
      ...showTimeline(room, turn, viewer, window),
      required_state: presenter.show(room, required, session, undefined, { withRoomId: false }),
      ...countUnread(room, userId),
      bump_stamp: findBumpStamp(room, upTo),
    };
  }

  function readTimeline(
    room: Room,
    viewer: Viewer,
    { config, budget, upTo }: RoomTurn,
    after: number,
  ): EventWindow {
    const { timelineLimit: limit } = config;
    return readWindow(log, room, viewer, {
      after,
      upTo,
      limit,
      filter: passAllFilter,
      budget: budget.timeline,
    });
  }

  function showTimeline(room: Room, turn: RoomTurn, viewer: Viewer, window: EventWindow): JsonObject {
    const { events, isLimited, start } = window;
    return {
      timeline: presenter.show(room, events, turn.session, viewer, { withRoomId: false }),
      limited: isLimited,
      prev_batch: `s${start}`,
      num_live: turn.since === 0 ? 0 : events.filter(({ stream }) => stream > turn.since).length,
    };
  }

  /** The given state events that the client requires; with `$LAZY`, also the members that the timeline mentions. */
  function requireState(
    room: Room,
    { session, config }: RoomTurn,
    { events, isLimited }: EventWindow,
    state: readonly StoredEvent[],
    isInitial: boolean,
  ): StoredEvent[] {
    const isLazy = config.requiredState.some(([, key]) => key === "$LAZY");
    const mentioned = new Set(
      events.flatMap(({ type, sender, stateKey = "" }) =>
        type === "m.room.member" ? [sender, stateKey] : [sender],
      ),
    );
    // After a gap the client drops its members; without a gap it needs every change.
    const takesAllMembers = isLazy && !isInitial && !isLimited;
    const isRequired = (event: StoredEvent): boolean =>
      config.requiredState.some((pattern) => matchesState(pattern, event, session.userId)) ||
      (takesAllMembers && event.type === "m.room.member");
    const required = new Set(state.filter(isRequired));
    if (isLazy)
      for (const userId of mentioned) {
        const member = room.state.get(stateKeyOf("m.room.member", userId));
        if (member) required.add(member);
      }
    // The same event may be a row from the database and the object in memory.
    return [...new Map([...required].map((event) => [event.id, event])).values()];
  }

  function countUnread(room: Room, userId: string): JsonObject {
    const { main, threads } = unread.of(room, userId);
    const all = [main, ...threads.values()];
    return {
      notification_count: all.reduce((sum, { notify }) => sum + notify, 0),
      highlight_count: all.reduce((sum, { highlight }) => sum + highlight, 0),
    };
  }

  function showInvited(room: Room, member: Member, { session, sent }: RoomTurn): JsonObject | undefined {
    if (sent?.membership === member.membership && member.stream <= sent.upTo) return undefined;
    return {
      initial: true,
      invite_state: listStrippedState(room, session.userId, clock()),
      bump_stamp: member.stream,
    };
  }

  /** The room up to the time the user left; only their leave event if they were never in it. */
  function showLeft(room: Room, member: Member, turn: RoomTurn): JsonObject | undefined {
    const { session, sent, config } = turn;
    if (sent?.membership === member.membership && member.stream <= sent.upTo) return undefined;
    const own = room.state.get(stateKeyOf("m.room.member", session.userId));
    const from = sent?.membership === "join" ? sent.upTo : 0;
    const section = { ...(from === 0 ? { initial: true } : {}), bump_stamp: member.stream };
    if (!member.wasJoined || member.isForgotten)
      return {
        ...section,
        required_state: presenter.show(room, own ? [own] : [], session, undefined, { withRoomId: false }),
      };
    const viewer = history.viewer(room, session.userId);
    const window = readTimeline(room, viewer, { ...turn, upTo: member.stream }, from);
    const state = log.stateChanges(room.n, from, member.stream);
    const patterns = config.requiredState.filter(([, key]) => key !== "$LAZY");
    const required = state.filter(
      (event) =>
        event.id === own?.id || patterns.some((pattern) => matchesState(pattern, event, session.userId)),
    );
    return {
      ...section,
      ...showTimeline(room, turn, viewer, window),
      required_state: presenter.show(room, required, session, undefined, { withRoomId: false }),
    };
  }

  return {
    show(room, member, turn) {
      if (member.membership === "join") return showJoined(room, member, turn);
      return member.membership === "invite" || member.membership === "knock"
        ? showInvited(room, member, turn)
        : showLeft(room, member, turn);
    },
  };
}

/** Name, avatar and members, each only if it changed after a position. */
function showNames(room: Room, userId: string, from: number): JsonObject {
  const shown: JsonObject = {};
  const addChanged = (field: string, type: string, key: string): void => {
    const event = room.state.get(stateKeyOf(type, ""));
    if (!event || event.stream <= from) return;
    const value = event.content[key];
    // Null tells the client that it was removed.
    if (typeof value === "string" && value !== "") shown[field] = value;
    else if (from > 0) shown[field] = null;
  };
  addChanged("name", "m.room.name", "name");
  addChanged("avatar", "m.room.avatar", "url");
  if (from > 0 && !changedMembers(room, from)) return shown;
  const summary = makeSummary(room, userId);
  shown.joined_count = summary["m.joined_member_count"];
  shown.invited_count = summary["m.invited_member_count"];
  const heroes = pickHeroes(room, userId);
  if (heroes.length > 0) shown.heroes = heroes.map((hero) => showHero(room, hero));
  return shown;
}

function showHero(room: Room, userId: string): JsonObject {
  const { displayname, avatar_url: avatar } = room.view("m.room.member", userId)?.content ?? {};
  return {
    user_id: userId,
    ...(typeof displayname === "string" ? { displayname } : {}),
    ...(typeof avatar === "string" ? { avatar_url: avatar } : {}),
  };
}

function changedMembers(room: Room, from: number): boolean {
  return room.stateEvents("m.room.member").some(({ stream }) => stream > from);
}

function findBumpStamp(room: Room, upTo: number): number {
  const newest = room.recent.findLast(({ type, stream }) => stream <= upTo && bumpTypes.includes(type));
  return newest?.stream ?? room.recent[0]?.stream ?? 0;
}

function matchesState([type, key]: StatePattern, event: StoredEvent, userId: string): boolean {
  if (type !== "*" && type !== event.type) return false;
  return key === "*" || event.stateKey === (key === "$ME" ? userId : key);
}

/** Whether state that the next patterns require was already required before. */
function covers(before: readonly StatePattern[], next: readonly StatePattern[]): boolean {
  const known = new Set(before.map((pattern) => pattern.join("\0")));
  return known.has("*\0*") || next.every((pattern) => known.has(pattern.join("\0")));
}

/** Whether the user marked the room as a direct chat. */
export function isDirect(accountData: AccountData, userId: string, roomId: string): boolean {
  const direct = accountData.get(userId, "", "m.direct") ?? {};
  return Object.values(direct).some((ids) => Array.isArray(ids) && ids.includes(roomId));
}
