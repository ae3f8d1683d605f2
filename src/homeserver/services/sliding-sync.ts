import type { Clock } from "../../shared/clock.ts";
import { refuse } from "../errors.ts";
import { isObject, type JsonObject, makeDictionary } from "../json.ts";
import type { ListFilters, RoomConfig, SlidingRequest } from "../rules/sliding-request.ts";
import type { AccountData } from "./account-data.ts";
import type { IgnoredUsers } from "./ignored-users.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { PollResult, LongPoll } from "./long-poll.ts";
import type { Member, Members } from "./members.ts";
import type { Presence, PresenceState } from "./presence.ts";
import type { Room, Rooms } from "./rooms.ts";
import type { Session } from "./sessions.ts";
import type { SlidingExtensions } from "./sliding-extensions.ts";
import { isDirect, type SentRoom, type SlidingRooms } from "./sliding-room.ts";
import { openSyncBudget } from "./sync-budget.ts";
import type { TimeSlices } from "./time-slices.ts";
import type { OnDisconnect } from "./poll-waker.ts";
import { dropOldest } from "../../shared/drop-oldest.ts";

interface SlidingSyncRequest {
  session: Session;
  /** The position that the previous response returned. */
  pos: string | undefined;
  timeoutMs: number;
  presence: PresenceState;
  onDisconnect: OnDisconnect;
  wanted: SlidingRequest;
}

/** Simplified sliding sync (MSC4186): the client says which rooms it shows, and gets only those. */
interface SlidingSync {
  /** `M_UNKNOWN_POS` for a position that the server no longer knows; the client then starts over. */
  run(request: SlidingSyncRequest): Promise<JsonObject>;
}

interface SlidingSyncDeps {
  db: BatchedDatabase;
  members: Members;
  rooms: Rooms;
  accountData: AccountData;
  ignoredUsers: IgnoredUsers;
  presence: Presence;
  clock: Clock;
  timeSlices: TimeSlices;
  longPoll: LongPoll;
  slidingRooms: SlidingRooms;
  extensions: SlidingExtensions;
}

/** The rooms that a connection had sent at a position. */
interface Snapshot {
  pos: string;
  upTo: number;
  rooms: ReadonlyMap<string, SentRoom>;
}

interface Entry {
  room: Room;
  member: Member;
  activity: number;
}

interface Match extends Entry {
  config: RoomConfig;
  lists: string[];
  isSubscribed: boolean;
}

interface AnsweredRequest {
  answer: JsonObject;
  snapshot: Snapshot;
}

/** In memory only: after a restart the clients start over. */
const maxConnections = 1_000;
const maxPerDevice = 8;
const maxSnapshots = 3;
const nothingSent: Snapshot = { pos: "", upTo: 0, rooms: new Map() };

export function openSlidingSync(deps: SlidingSyncDeps): SlidingSync {
  const { db, members, rooms, accountData, ignoredUsers, presence, slidingRooms, extensions } = deps;
  /**
   * The last responses of each connection: the client may repeat a request whose response was lost, and a request that it
   * cancelled may end after the next one.
   */
  const connections = new Map<string, readonly Snapshot[]>();
  let serial = 0;

  function findSnapshot(key: string, pos: string | undefined): Snapshot {
    if (pos === undefined) return nothingSent;
    return (
      connections.get(key)?.find((snapshot) => snapshot.pos === pos) ??
      refuse("M_UNKNOWN_POS", "The connection has expired. Start a new one without pos.")
    );
  }

  function remember({ device }: Session, key: string, base: Snapshot, snapshot: Snapshot): void {
    const known = base === nothingSent ? [] : [base, ...(connections.get(key) ?? [])];
    const isNew = !connections.delete(key);
    connections.set(key, [...new Set([snapshot, ...known])].slice(0, maxSnapshots));
    if (!isNew) return;
    const own = [...connections.keys()].filter((other) => other.startsWith(`${device}/`));
    if (own.length > maxPerDevice) connections.delete(own[0] ?? "");
    dropOldest(connections, maxConnections);
  }

  async function build(request: SlidingSyncRequest, base: Snapshot): Promise<PollResult<AnsweredRequest>> {
    const { session, wanted } = request;
    const upTo = db.position();
    const pause = deps.timeSlices.begin();
    const budget = openSyncBudget();
    const entries = await listEntries(session.userId, base, pause);
    const { matches, counts } = match(session.userId, wanted, entries);
    const shown = makeDictionary<JsonObject>();
    const sent = new Map(base.rooms);
    for (const [roomId, { room, member, config, lists }] of matches) {
      const pausing = pause();
      if (pausing) await pausing;
      const before = base.rooms.get(roomId);
      const section = slidingRooms.show(room, member, {
        session,
        config,
        upTo,
        sent: before,
        since: base.upTo,
        budget,
      });
      if (section) shown[roomId] = { ...section, ...(lists.length > 0 ? { lists } : {}) };
      sent.set(roomId, { upTo, config, membership: member.membership });
    }
    const extended = extensions.show({
      session,
      upTo,
      wanted: wanted.extensions,
      since: base.upTo,
      rooms: [...matches.values()].map(({ room, member, lists, isSubscribed }) => ({
        room,
        lists,
        isSubscribed,
        isJoined: member.membership === "join",
        since: base.rooms.get(room.id)?.upTo ?? 0,
      })),
    });
    const pos = `s${upTo}_${++serial}`;
    const answer: JsonObject = {
      pos,
      ...(wanted.txnId === undefined ? {} : { txn_id: wanted.txnId }),
      lists: counts,
      rooms: shown,
      extensions: extended.answer,
    };
    const isEmpty = Object.keys(shown).length === 0 && extended.isEmpty;
    return { answer: { answer, snapshot: { pos, upTo, rooms: sent } }, isEmpty, upTo };
  }

  /** The user's rooms, the most recently active first. */
  async function listEntries(
    userId: string,
    base: Snapshot,
    pause: () => Promise<void> | undefined,
  ): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (const member of Array.from(members.of(userId).values())) {
      const pausing = pause();
      if (pausing) await pausing;
      const room = rooms.find(member.roomId);
      if (!room || !isListed(room, member, userId, base)) continue;
      const activity = member.membership === "join" ? (room.last?.stream ?? 0) : member.stream;
      entries.push({ room, member, activity });
    }
    return entries.toSorted((a, b) => b.activity - a.activity);
  }

  function isListed(room: Room, member: Member, userId: string, base: Snapshot): boolean {
    const { membership } = member;
    const sender = room.view("m.room.member", userId)?.sender ?? "";
    if (membership === "join") return true;
    if (membership === "invite" || membership === "knock") return !ignoredUsers(userId).has(sender);
    // A user knows which rooms they left themselves, so these are reported only on connections that have sent them before.
    if (base.rooms.has(room.id)) return true;
    return member.wasJoined && !member.isForgotten && sender !== userId;
  }

  function match(
    userId: string,
    { lists, subscriptions }: SlidingRequest,
    entries: readonly Entry[],
  ): { matches: Map<string, Match>; counts: JsonObject } {
    const matches = new Map<string, Match>();
    const counts: JsonObject = makeDictionary();
    const add = (entry: Entry, config: RoomConfig): Match => {
      const known = matches.get(entry.room.id);
      const merged = known
        ? { ...known, config: combine(known.config, config) }
        : { ...entry, config, lists: [], isSubscribed: false };
      matches.set(entry.room.id, merged);
      return merged;
    };
    for (const [name, list] of lists) {
      const listed = entries.filter((entry) => passes(entry, list.filters, userId));
      counts[name] = { count: listed.length };
      const isInRange = (index: number): boolean =>
        list.ranges.length === 0 || list.ranges.some(([first, last]) => index >= first && index <= last);
      for (const entry of listed.filter((_, index) => isInRange(index))) add(entry, list).lists.push(name);
    }
    for (const entry of entries) {
      const config = subscriptions.get(entry.room.id);
      if (config) add(entry, config).isSubscribed = true;
    }
    return { matches, counts };
  }

  function passes({ room, member }: Entry, filters: ListFilters, userId: string): boolean {
    const is = (wanted: boolean | undefined, actual: () => boolean): boolean =>
      wanted === undefined || wanted === actual();
    if (!is(filters.isInvite, () => member.membership === "invite")) return false;
    if (!is(filters.isDm, () => isDirect(accountData, userId, room.id))) return false;
    if (!is(filters.isEncrypted, () => room.view("m.room.encryption") !== undefined)) return false;
    const type = room.view("m.room.create")?.content.type ?? null;
    if (filters.notRoomTypes.includes(type) || filters.roomTypes?.includes(type) === false) return false;
    if (filters.spaces && !filters.spaces.some((space) => isChild(space, room.id, userId))) return false;
    if (!filters.tags && filters.notTags.length === 0) return true;
    const { tags } = accountData.get(userId, room.id, "m.tag") ?? {};
    const own = isObject(tags) ? Object.keys(tags) : [];
    return (
      !own.some((tag) => filters.notTags.includes(tag)) &&
      (filters.tags?.some((tag) => own.includes(tag)) ?? true)
    );
  }

  function isChild(space: string, roomId: string, userId: string): boolean {
    if (members.in(userId, space)?.membership !== "join") return false;
    return Array.isArray(rooms.find(space)?.view("m.space.child", roomId)?.content.via);
  }

  return {
    async run({ session, pos, ...request }) {
      const key = `${session.device}/${request.wanted.connection}`;
      const base = findSnapshot(key, pos);
      if (request.presence !== "offline") presence.touch(session.userId, request.presence);
      const { userId } = session;
      const timeoutMs = pos === undefined ? 0 : request.timeoutMs;
      const { answer, snapshot } = await deps.longPoll(
        { userId, timeoutMs, onDisconnect: request.onDisconnect },
        () => build({ session, pos, ...request }, base),
      );
      remember(session, key, base, snapshot);
      return answer;
    },
  };
}

/** Returns a configuration that includes everything that either of the two requests. */
function combine(a: RoomConfig, b: RoomConfig): RoomConfig {
  return {
    timelineLimit: Math.max(a.timelineLimit, b.timelineLimit),
    requiredState: [...a.requiredState, ...b.requiredState],
  };
}
