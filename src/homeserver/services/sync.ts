import type { JsonObject } from "../json.ts";
import { toClientEvent, toStrippedEvent } from "../rules/client-event.ts";
import { filterKind, filterRoom, type SyncFilter } from "../rules/filter.ts";
import { strippedTypes } from "../rules/room-summary.ts";
import { type Clock, monotonicClock } from "../../shared/clock.ts";
import type { AccountData } from "./account-data.ts";
import type { DeviceKeys } from "./device-keys.ts";
import type { IgnoredUsers } from "./ignored-users.ts";
import type { BatchedDatabase } from "./batched-database.ts";
import type { PollResult, LongPoll } from "./long-poll.ts";
import type { Member, Members } from "./members.ts";
import type { Presence, PresenceState, UserPresence } from "./presence.ts";
import type { PushRules } from "./push-rules.ts";
import { type Room, type Rooms, stateKeyOf } from "./rooms.ts";
import type { Session } from "./sessions.ts";
import type { DeviceChanges } from "./sync-devices.ts";
import { openSyncBudget } from "./sync-budget.ts";
import type { SyncRooms } from "./sync-room.ts";
import type { SyncRange } from "./sync-range.ts";
import type { TimeSlices } from "./time-slices.ts";
import { maxPerSync, type ToDevice, type QueuedMessage } from "./to-device.ts";
import type { OnDisconnect } from "./poll-waker.ts";

interface SyncRequest {
  session: Session;
  since: number | undefined;
  /** The position of to-device messages, if it is before `since`. */
  toDeviceSince?: number | undefined;
  timeoutMs: number;
  isFull: boolean;
  isStateAfter: boolean;
  /** Include to-device messages, and delete those that an earlier response delivered. */
  withToDevice: boolean;
  filter: SyncFilter;
  presence: PresenceState;
  onDisconnect: OnDisconnect;
}

interface Sync {
  /** Resolves as soon as there is news, or after the timeout. */
  run(request: SyncRequest): Promise<JsonObject>;
}

interface SyncDeps {
  db: BatchedDatabase;
  members: Members;
  rooms: Rooms;
  syncRooms: SyncRooms;
  accountData: AccountData;
  ignoredUsers: IgnoredUsers;
  pushRules: PushRules;
  presence: Presence;
  toDevice: ToDevice;
  deviceKeys: DeviceKeys;
  deviceChanges: DeviceChanges;
  clock: Clock;
  timeSlices: TimeSlices;
  longPoll: LongPoll;
}

const noChanges = { changed: [], left: [], newcomers: [] };

export function openSync(deps: SyncDeps): Sync {
  const { db, members, rooms, syncRooms, accountData, pushRules, presence, toDevice, deviceKeys } = deps;

  async function build(request: SyncRequest): Promise<PollResult<JsonObject>> {
    const { session, filter, isFull, isStateAfter } = request;
    const since = request.since ?? 0;
    const upTo = db.position();
    const budget = openSyncBudget();
    const range: SyncRange = { session, since, upTo, isFull, isStateAfter, filter, budget };
    const sections = await buildRooms(range);
    const messages = request.withToDevice ? takeMessages(session, request.toDeviceSince ?? since, upTo) : [];
    // If not all messages fit, the next sync continues after the last one sent, and from `upTo` for everything else.
    const toDeviceUpTo = messages.length === maxPerSync ? (messages.at(-1)?.stream ?? upTo) : upTo;
    const data = buildAccountData(range);
    const { newcomers, ...lists } =
      since === 0 ? noChanges : deps.deviceChanges.listBetween(session.userId, since);
    const present = buildPresence(range, newcomers);
    const isEmpty =
      sections.isEmpty &&
      messages.length + present.length + data.length + lists.changed.length + lists.left.length === 0 &&
      deviceKeys.changedAt(session.userId) <= since;
    const answer: JsonObject = {
      next_batch: toDeviceUpTo < upTo ? `s${upTo}_${toDeviceUpTo}` : `s${upTo}`,
      account_data: { events: data },
      presence: { events: present },
      to_device: { events: messages.map(({ message }) => message) },
      device_lists: lists,
      device_one_time_keys_count: deviceKeys.counts(session.userId, session.deviceId),
      device_unused_fallback_key_types: deviceKeys.unusedFallbackTypes(session.userId, session.deviceId),
      rooms: sections.rooms,
    };
    return { answer, isEmpty, upTo };
  }

  async function buildRooms(range: SyncRange): Promise<{ rooms: JsonObject; isEmpty: boolean }> {
    const sections = { join: {}, invite: {}, knock: {}, leave: {} } as Record<string, JsonObject>;
    let isEmpty = true;
    const pause = deps.timeSlices.begin();
    // A copy: memberships may change during a pause. The next sync reports those changes.
    for (const member of Array.from(members.of(range.session.userId).values())) {
      const pausing = pause();
      if (pausing) await pausing;
      if (!filterRoom(range.filter, member.roomId)) continue;
      const room = rooms.find(member.roomId);
      const name = member.membership === "ban" ? "leave" : member.membership;
      const section = room && buildRoom(room, member, range);
      if (!section) continue;
      (sections[name] as JsonObject)[member.roomId] = section;
      isEmpty = false;
    }
    return { rooms: sections, isEmpty };
  }

  function buildRoom(room: Room, member: Member, range: SyncRange): JsonObject | undefined {
    const { membership } = member;
    if (membership === "join") return syncRooms.showJoined(room, member, range);
    const isNews = member.stream > range.since;
    if (membership === "invite" || membership === "knock") {
      const { userId } = range.session;
      const inviter = room.view("m.room.member", userId)?.sender ?? "";
      if ((!isNews && !range.isFull) || deps.ignoredUsers(userId).has(inviter)) return undefined;
      return { [`${membership}_state`]: { events: listStrippedState(room, userId, deps.clock()) } };
    }
    // The user's other devices must learn of the leave, even if the room is already forgotten.
    const hasLeft = range.since > 0 && isNews;
    const isRequested =
      (range.since === 0 || range.isFull) && range.filter.includeLeave && !member.isForgotten;
    return hasLeft || isRequested ? syncRooms.showLeft(room, member, range) : undefined;
  }

  function takeMessages(session: Session, since: number, upTo: number): QueuedMessage[] {
    const newestAt = toDevice.newestAt(session.device);
    if (newestAt === 0) return [];
    if (since > 0) toDevice.confirm(session.device, since);
    return toDevice.listWaiting(session.device, upTo);
  }

  /** Presence of users that changed, and of those who began to share a room with the reader. */
  function buildPresence(range: SyncRange, newcomers: readonly string[]): JsonObject[] {
    const { presence: filter } = range.filter;
    const users =
      presence.changedAt() > range.since ? deps.deviceChanges.listSharing(range.session.userId) : [];
    const changed = new Set([...presence.since(users, range.since), ...presence.since(newcomers, 0)]);
    return [...changed].filter(({ userId }) => filterKind(filter, "m.presence", userId)).map(showPresence);
  }

  function buildAccountData(range: SyncRange): JsonObject[] {
    const { userId } = range.session;
    const since = range.isFull ? 0 : range.since;
    const data: JsonObject[] = accountData
      .since(userId, "", since)
      .map(({ type, content }) => ({ type, content }));
    if (since === 0 && !data.some(({ type }) => type === "m.push_rules"))
      data.push({ type: "m.push_rules", content: pushRules.asAccountData(userId) });
    return data.filter(({ type }) => filterKind(range.filter.accountData, type as string));
  }

  return {
    run(request) {
      const { session, since, timeoutMs, onDisconnect } = request;
      // A sync with `set_presence=offline` changes nothing: another client of the user may be online.
      if (request.presence !== "offline") presence.touch(session.userId, request.presence);
      const isImmediate = since === undefined || request.isFull;
      return deps.longPoll(
        { userId: session.userId, timeoutMs: isImmediate ? 0 : timeoutMs, onDisconnect },
        () => build(request),
      );
    },
  };
}

/** The state that an invited or knocking user sees. */
export function listStrippedState(room: Room, userId: string, now: number): JsonObject[] {
  const inviter = room.view("m.room.member", userId)?.sender ?? "";
  const shown = strippedTypes.flatMap((type) =>
    room.stateEvents(type).filter(({ stateKey }) => stateKey === ""),
  );
  const own = room.state.get(stateKeyOf("m.room.member", userId));
  const other = inviter === userId ? undefined : room.state.get(stateKeyOf("m.room.member", inviter));
  const events = [...shown, ...(other ? [other] : [])].map(toStrippedEvent);
  if (own) events.push({ ...toClientEvent(own, { now, withRoomId: false }) });
  return events;
}

export function showPresence(user: UserPresence): JsonObject {
  const content: JsonObject = {
    presence: user.state,
    last_active_ago: Math.round(monotonicClock() - user.activeAt),
    currently_active: user.state === "online",
  };
  if (user.statusMsg !== undefined) content.status_msg = user.statusMsg;
  return { type: "m.presence", sender: user.userId, content };
}
